import { toAgentFileJsonSchema } from '@ostler/agent-api'
import { readCommandLine } from '../command-line/command-line.ts'
import { schemaCommand } from './specs/schema.ts'

export function runSchema(args: string[]): number {
  if (readCommandLine(schemaCommand, args) === undefined) return 0
  process.stdout.write(`${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`)
  return 0
}
