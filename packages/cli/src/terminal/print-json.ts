import { toJsonEscape } from '@ostler/agent-api/internal'
import type { Output } from './io.ts'

/** JSON for programs. Characters that could move a terminal's cursor or hide something are written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, toJsonEscape)}\n`
}

/** The same on one line. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/\p{C}/gu, toJsonEscape)}\n`
}

export function printJson({ stdout }: { readonly stdout: Output }, value: unknown): void {
  stdout.write(toPrintedJson(value))
}
