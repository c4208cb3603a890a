import type { Output } from '../io.ts'

/** JSON for programs. Characters that could move a terminal's cursor or hide something are written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  const escape = (character: string) =>
    [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, escape)}\n`
}

export function printJson({ stdout }: { readonly stdout: Output }, value: unknown): void {
  stdout.write(toPrintedJson(value))
}
