import { defineCommand } from '../command-line/command.ts'
import { bareError } from '../command-line/usage-error.ts'

export const command = defineCommand({
  synopsis: ['<command>'],
  about: 'Manages the MCP servers of the agent, and calls their tools.',
  more: 'Also: ls for list, show for get, rm for remove.',
  run() {
    throw bareError('no command given')
  },
})
