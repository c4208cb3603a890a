import { defineCommand } from '../command-line/command.ts'
import { command as list } from './sessions/list.ts'

export const command = defineCommand({
  ...list,
  synopsis: ['[options]', '<command>'],
  about: 'Manages the conversations of all agents of a state directory. Without a command, lists them.',
  more: '',
})
