import { toJsonEscape } from '@ostler/agent-api/internal'
import { toShown } from './format-table.ts'
import type { Io } from './io.ts'

/** JSON for programs. Characters that could move a terminal's cursor or hide something are written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, toJsonEscape)}\n`
}

/** The same on one line. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/\p{C}/gu, toJsonEscape)}\n`
}

export function printJson({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout.write(toPrintedJson(value))
}

interface Format {
  readonly json?: boolean | undefined
}

/** Prints the answer of a command: with `--json` for a program, otherwise as a text for a person. */
export function print<T>(
  { stdout }: Pick<Io, 'stdout'>,
  { json }: Format,
  answer: T,
  toText: (answer: T) => string,
): void {
  stdout.write(json === true ? toPrintedJson(answer) : withLineEnd(toText(answer)))
}

/** Prints one page of a list, and says on a terminal that there are more. */
export function printPage<T extends { readonly next: unknown }>(
  io: Pick<Io, 'stdout' | 'stderr'>,
  format: Format,
  page: T,
  toText: (page: T) => string,
): void {
  print(io, format, page, toText)
  if (format.json !== true && page.next !== null && io.stderr.isTTY === true)
    io.stderr.write('There are more. Use --limit to show them.\n')
}

export function say({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  stdout.write(`${toShown(text)}\n`)
}

export function warn({ stderr }: Pick<Io, 'stderr'>, text: string): void {
  stderr.write(`ostler: ${toShown(text)}\n`)
}

/** Prints a server's text as it is for programs, and without control characters on a terminal. */
export function printServerText({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  const whole = text === '' ? '' : withLineEnd(text)
  stdout.write(stdout.isTTY === true ? toShown(whole) : whole)
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
