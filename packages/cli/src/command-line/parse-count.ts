import { usageError } from './command-line.ts'
import type { CommandSpec } from './command-spec.ts'

const countMax = 100_000

/** `--limit 20`. */
export function parseCount(spec: CommandSpec, flag: string, text: string, max = countMax): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw usageError(spec, `--${flag} must be a number from 1 to ${max}, and is '${text}'`)
  return number
}
