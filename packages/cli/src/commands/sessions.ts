import { defineCommand } from '../command-line/command.ts'
import { bareError } from '../command-line/usage-error.ts'

export const command = defineCommand({
  synopsis: ['<command>'],
  about: 'Conversations of all agents that keep their state in the same place.',
  more: 'Also: ls for list, rm for delete.',
  run() {
    throw bareError('list, show, delete or export?')
  },
})
