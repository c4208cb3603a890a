import { usageError } from './command-line.ts'
import type { CommandSpec } from './command-spec.ts'
import { parseDuration } from '@ostler/agent-api'

const dayMs = 24 * 60 * 60 * 1_000

/** `--timeout 30s`; undefined where there is none. */
export function parseTimeout(spec: CommandSpec, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms === undefined || ms < 1 || ms > dayMs) throw usageError(spec, `--timeout must be a duration like 30s or PT1M, and is '${text}'`)
  return ms
}
