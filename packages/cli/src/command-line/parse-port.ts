import { usageError } from './command-line.ts'
import type { CommandSpec } from './command-spec.ts'

/** Zero, which is any port that is free, when unset. */
export function parsePort(spec: CommandSpec, text: string | undefined): number {
  if (text === undefined) return 0
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usageError(spec, `'${text}' is not a port`)
  return port
}
