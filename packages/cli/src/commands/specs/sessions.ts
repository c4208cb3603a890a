import type { CommandSpec } from '../../command-line/command-spec.ts'
import { helpFlag, jsonFlag, stateDirFlag, yesFlag } from './shared-flags.ts'

export const sessionsListCommand = {
  name: 'sessions list',
  summary: 'List the conversations, the one used last first',
  synopsis: ['[options]'],
  about: 'Lists the conversations, the one used last first.',
  flags: {
    cwd: { type: 'string', value: 'DIR', help: 'Only those of one directory', completion: 'directory' },
    limit: { type: 'string', default: '50', value: 'N', help: 'At most so many (50)' },
    after: { type: 'string', value: 'ID', help: 'Only what comes after this one: the "next" that --json has printed' },
    json: jsonFlag,
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
  more: `With --json: { "sessions": [...], "next": ID or null }. While "next" is an ID, --after with it gives the next page.`,
} as const satisfies CommandSpec

export const sessionsShowCommand = {
  name: 'sessions show',
  summary: 'Show one conversation as it went',
  synopsis: ['ID [options]'],
  about: 'Shows one conversation as it went: what was said, and which tools ran. The beginning of its ID is enough.',
  flags: { json: jsonFlag, 'state-dir': stateDirFlag, help: helpFlag },
  words: ['session', 'nothing'],
} as const satisfies CommandSpec

export const sessionsDeleteCommand = {
  name: 'sessions delete',
  summary: 'Delete conversations with all their calls',
  synopsis: ['ID... [options]'],
  about: 'Deletes conversations, and the history of their calls with them. It asks first; without a terminal it needs --yes.',
  flags: {
    yes: yesFlag,
    force: { type: 'boolean', default: false, help: 'Also one that is open in an editor: it goes on, without what was said before' },
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
  words: ['session'],
} as const satisfies CommandSpec

export const sessionsExportCommand = {
  name: 'sessions export',
  summary: 'Write one conversation as Markdown or JSON',
  synopsis: ['ID [options]'],
  about: 'Writes one conversation with its tool calls, to standard output or to a file.',
  flags: {
    format: { type: 'string', default: 'md', value: 'FORMAT', help: 'md (default) or json', completion: ['md', 'json'] },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'Write it there, for your eyes only; a file that is there stays. - is standard output',
      completion: 'file',
    },
    force: { type: 'boolean', default: false, help: 'Replace a file that is there' },
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
  words: ['session', 'nothing'],
  more: `The JSON is { "session", "entries", "calls" }: what is known of it, what was said and seen, and every call whole.`,
} as const satisfies CommandSpec

export const sessionsCommand = {
  name: 'sessions',
  summary: 'List, show, delete and export conversations',
  synopsis: ['<command>'],
  about: 'Conversations of all agents that keep their state in the same place.',
  subcommands: [sessionsListCommand, sessionsShowCommand, sessionsDeleteCommand, sessionsExportCommand],
  flags: { help: helpFlag },
  more: 'Also: ls for list, rm for delete.',
} as const satisfies CommandSpec
