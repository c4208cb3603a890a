import type { CommandSpec } from '../../command-line/command-spec.ts'
import { agentFlag, helpFlag, jsonFlag, stateDirFlag } from './shared-flags.ts'

const place = {
  agent: agentFlag('The agent file whose servers are meant too (default: OSTLER_AGENT, then your own ostler.yaml)'),
  'state-dir': stateDirFlag,
  help: helpFlag,
} as const

export const mcpTestCommand = {
  name: 'mcp test',
  summary: 'Start a server, say what it offers, and end it',
  synopsis: ['NAME [options]'],
  about: 'Shows what is started, and then says how long each part took and what the server offers, or why it failed.',
  flags: { json: jsonFlag, ...place },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpToolsCommand = {
  name: 'mcp tools',
  summary: 'List the tools of a server',
  synopsis: ['NAME [TOOL] [options]'],
  about: 'Lists the tools of a server; with TOOL, everything about that one.',
  flags: { json: jsonFlag, ...place },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpCallCommand = {
  name: 'mcp call',
  summary: 'Call a tool',
  synopsis: ['NAME TOOL [JSON | - | KEY=VALUE...] [options]'],
  about: `Calls a tool and prints its whole result. You are not asked: this is your call. The arguments are one JSON object, one from standard
input (-), or KEY=VALUE, where a value is read as what the tool asks for there, and KEY:=VALUE as JSON.`,
  flags: {
    timeout: {
      type: 'string',
      value: 'DURATION',
      help: 'How long it may take without a word of progress: 30s, PT1M',
      completion: 'nothing',
    },
    json: jsonFlag,
    ...place,
  },
  words: ['server', 'nothing'],
  more: 'The exit code is 1 when the tool failed. Ctrl-C cancels the call.',
} as const satisfies CommandSpec

export const mcpResourcesCommand = {
  name: 'mcp resources',
  summary: 'List the resources of a server',
  synopsis: ['NAME [options]'],
  about: 'Lists the resources of a server.',
  flags: { json: jsonFlag, ...place },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpReadCommand = {
  name: 'mcp read',
  summary: 'Print a resource of a server',
  synopsis: ['NAME URI [options]'],
  about: 'Prints a resource of a server.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'Write it there, as it is; a file that is there stays. - is standard output',
      completion: 'file',
    },
    force: { type: 'boolean', default: false, help: 'Replace a file that is there' },
    json: jsonFlag,
    ...place,
  },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec

export const mcpPromptsCommand = {
  name: 'mcp prompts',
  summary: 'List the prompts of a server, or fill one in',
  synopsis: ['NAME [options]', 'NAME PROMPT [KEY=VALUE...] [options]'],
  about: 'Lists the prompts of a server; with PROMPT, prints what that one says.',
  flags: { json: jsonFlag, ...place },
  words: ['server', 'nothing'],
} as const satisfies CommandSpec
