import { defineCommand } from '../command-line/command.ts'
import { bareError } from '../command-line/usage-error.ts'

export const command = defineCommand({
  synopsis: ['<command>'],
  about: 'Conversations of all agents of a state directory.',
  more: 'Also: ls for list, rm for delete.',
  run() {
    throw bareError('no command given: list, show, delete or export')
  },
})
