import type { CommandSpec } from '../../command-line/command-spec.ts'
import { helpFlag, jsonFlag, stateDirFlag, yesFlag } from './shared-flags.ts'

export const historyShowCommand = {
  name: 'history show',
  summary: 'Show one call whole: arguments, result, decision',
  synopsis: ['ID [options]'],
  about: 'Shows one call whole. The ID is the one in the list, or the beginning of one.',
  flags: { json: jsonFlag, 'state-dir': stateDirFlag, help: helpFlag },
  words: ['nothing'],
} as const satisfies CommandSpec

export const historyStatsCommand = {
  name: 'history stats',
  summary: 'Count the calls of each tool by day',
  synopsis: ['[options]'],
  about: 'Counts the calls that have ended, of each tool and day (UTC), and says how long they took: half of them, and 95 %.',
  flags: {
    server: { type: 'string', value: 'NAME', help: 'Only those of one MCP server', completion: 'server' },
    since: { type: 'string', default: '7d', value: 'WHEN', help: 'From then on: 2w, 2026-11-01 (7d)' },
    by: {
      type: 'string',
      default: 'tool',
      value: 'WHAT',
      help: 'One line for each tool, or for each server (tool)',
      completion: ['tool', 'server'],
    },
    json: jsonFlag,
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
  words: [],
  more: `With --json: { "statistics": [...] }, each with day, server, tool, calls, errors, denied, p50Ms and p95Ms.`,
} as const satisfies CommandSpec

export const historyClearCommand = {
  name: 'history clear',
  summary: 'Delete calls',
  synopsis: ['[options]'],
  about: `Deletes the calls that have ended, of all agents that keep their state in the same place. Conversations stay. It asks first; without a
terminal it needs --yes.`,
  flags: {
    before: { type: 'string', value: 'WHEN', help: 'Only what began before then: 30d, 2w, 2026-11-01', completion: 'nothing' },
    yes: yesFlag,
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
} as const satisfies CommandSpec

export const historyCommand = {
  name: 'history',
  summary: 'Show which tools were called, and what became of it',
  synopsis: ['[options]', 'show ID [options]', 'stats [options]', 'clear [options]'],
  about: 'Shows the tool calls of all agents that keep their state in the same place, newest first.',
  subcommands: [historyShowCommand, historyStatsCommand, historyClearCommand],
  flags: {
    session: { type: 'string', value: 'ID', help: 'Only those of one session; the beginning of its ID is enough', completion: 'session' },
    server: { type: 'string', value: 'NAME', help: 'Only those of one MCP server', completion: 'server' },
    tool: { type: 'string', value: 'NAME', help: 'Only those of one tool' },
    status: {
      type: 'string',
      value: 'STATUS',
      help: 'pending, running, success, error, denied, cancelled or interrupted',
      completion: ['pending', 'running', 'success', 'error', 'denied', 'cancelled', 'interrupted'],
    },
    since: { type: 'string', value: 'WHEN', help: 'From then on: 30m, 2h, 7d, 2w, 2026-11-01 or 2026-11-01T08:30' },
    search: { type: 'string', value: 'WORDS', help: 'Only those in which all these words stand: names, arguments, results, errors' },
    limit: { type: 'string', default: '50', value: 'N', help: 'At most so many (50)' },
    before: { type: 'string', value: 'SEQ', help: 'Only what came before this one: the "next" that --json has printed' },
    json: jsonFlag,
    'state-dir': stateDirFlag,
    help: helpFlag,
  },
  words: [],
  more: `With --json: { "calls": [...], "next": SEQ or null }. While "next" is a number, --before with it gives the next page.`,
} as const satisfies CommandSpec
