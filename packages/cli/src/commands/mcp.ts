import { defineCommand } from '../command-line/command.ts'
import { command as list } from './mcp/list.ts'

export const command = defineCommand({
  ...list,
  synopsis: ['[options]', '<command>'],
  about: 'Manages the MCP servers of the agent, and calls their tools. Without a command, lists them.',
})
