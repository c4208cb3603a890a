import { toAgentFileJsonSchema } from '@ostler/agent-api'
import { parseFlags } from '../parse-flags.ts'
import { schemaUsage } from '../usage.ts'

export function runSchema(args: string[]): number {
  const { values } = parseFlags({ args, options: { help: { type: 'boolean', short: 'h' } } }, schemaUsage)
  process.stdout.write(values.help === true ? schemaUsage : `${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`)
  return 0
}
