import type { Output } from '../io.ts'

/** JSON for programs. Characters that could move a terminal's cursor or hide something are written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, toEscape)}\n`
}

/** The same on one line. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/\p{C}/gu, toEscape)}\n`
}

export function printJson({ stdout }: { readonly stdout: Output }, value: unknown): void {
  stdout.write(toPrintedJson(value))
}

function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
