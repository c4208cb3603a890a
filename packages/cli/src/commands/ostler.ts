import { agentInfo } from '@ostler/acp-server'
import { bareError, defineCommand } from '../command-line/command.ts'

export const command = defineCommand({
  synopsis: ['<command>'],
  about: '',
  flags: {
    help: { type: 'boolean', short: 'h', help: 'Show this help, or that of a command: ostler help acp' },
    version: { type: 'boolean', short: 'v', help: 'Show the version' },
  },
  run({ stdout }, { values }) {
    if (values.version !== true) throw bareError('no command given')
    stdout.write(`${agentInfo.version}\n`)
  },
})
