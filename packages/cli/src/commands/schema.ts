import { toAgentFileJsonSchema } from '@ostler/agent-api/internal'
import { defineCommand } from '../command-line/command.ts'

export const command = defineCommand({
  synopsis: [''],
  about: 'Prints the JSON Schema of the agent file.',
  run({ stdout }) {
    stdout.write(`${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`)
  },
})
