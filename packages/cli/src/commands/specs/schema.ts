import type { CommandSpec } from '../../command-line/command-spec.ts'
import { helpFlag } from './shared-flags.ts'

export const schemaCommand = {
  name: 'schema',
  summary: 'Print the JSON Schema of the agent file',
  synopsis: [''],
  about: 'Prints the JSON Schema of the agent file.',
  flags: { help: helpFlag },
} as const satisfies CommandSpec
