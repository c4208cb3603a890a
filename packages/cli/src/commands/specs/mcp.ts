import type { CommandSpec } from '../../command-line/command-spec.ts'
import { mcpCallCommand, mcpPromptsCommand, mcpReadCommand, mcpResourcesCommand, mcpTestCommand, mcpToolsCommand } from './mcp-connected.ts'
import { mcpLoginCommand, mcpLogoutCommand } from './mcp-logins.ts'
import {
  mcpAddCommand,
  mcpAddJsonCommand,
  mcpDisableCommand,
  mcpEnableCommand,
  mcpExportCommand,
  mcpGetCommand,
  mcpImportCommand,
  mcpListCommand,
  mcpRemoveCommand,
  mcpUpdateCommand,
} from './mcp-servers.ts'
import { helpFlag } from './shared-flags.ts'

export const mcpCommand = {
  name: 'mcp',
  summary: 'Manage MCP servers, and use them from the command line',
  synopsis: ['<command>'],
  about: 'Manages the MCP servers of the agent, and uses them from the command line.',
  subcommands: [
    mcpListCommand,
    mcpGetCommand,
    mcpAddCommand,
    mcpAddJsonCommand,
    mcpUpdateCommand,
    mcpRemoveCommand,
    mcpEnableCommand,
    mcpDisableCommand,
    mcpLoginCommand,
    mcpLogoutCommand,
    mcpTestCommand,
    mcpToolsCommand,
    mcpCallCommand,
    mcpResourcesCommand,
    mcpReadCommand,
    mcpPromptsCommand,
    mcpImportCommand,
    mcpExportCommand,
  ],
  flags: { help: helpFlag },
  more: 'Also: ls for list, show for get, rm for remove.',
} as const satisfies CommandSpec
