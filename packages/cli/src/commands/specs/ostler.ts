import type { CommandSpec } from '../../command-line/command-spec.ts'
import { acpCommand } from './acp.ts'
import { checkCommand } from './check.ts'
import { completionCommand } from './completion.ts'
import { consoleCommand } from './console.ts'
import { editorCommand } from './editor.ts'
import { grantsCommand } from './grants.ts'
import { historyCommand } from './history.ts'
import { initCommand } from './init.ts'
import { mcpCommand } from './mcp.ts'
import { schemaCommand } from './schema.ts'
import { sessionsCommand } from './sessions.ts'

/** All there is. */
export const ostlerCommand = {
  name: '',
  summary: '',
  synopsis: ['<command>'],
  about: '',
  subcommands: [
    acpCommand,
    editorCommand,
    initCommand,
    checkCommand,
    schemaCommand,
    mcpCommand,
    historyCommand,
    sessionsCommand,
    grantsCommand,
    consoleCommand,
    completionCommand,
  ],
  flags: {
    help: { type: 'boolean', short: 'h', help: 'Show this, or the help of a command: ostler help acp' },
    version: { type: 'boolean', short: 'v', help: 'Show the version, as ostler version does' },
  },
} as const satisfies CommandSpec
