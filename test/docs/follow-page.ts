import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runLineOnTerminal } from '../cli/run-on-terminal.ts'
import { createTerminalScreen } from '../support/terminal-screen.ts'

/** A command of a page, and the lines that it should show. */
export interface Shown {
  readonly command: string
  readonly expected: readonly string[]
}

/** The commands of the `console` blocks: each begins with a dollar sign, and the lines up to the next one are what it shows. */
export function commandsIn(page: string): Shown[] {
  return [...page.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...lines] = part.trimEnd().split('\n')
        return { command, expected: lines.map((line) => line.trimEnd()) }
      }),
  )
}

/** A line of a question with its answer, as it is on the screen of the person who typed it. */
const question = /^(.+\? \[.+\] )(\S+)$/

/**
 * Runs the commands one after the other on a terminal, each in the folder where the previous one ended. Throws at the first that shows
 * something else.
 */
export async function follow(
  commands: readonly Shown[],
  { home, env, places }: FollowOptions,
): Promise<void> {
  let cwd = home
  for (const { command, expected } of commands) {
    const questions = expected.flatMap((line) => {
      const [, asked = '', answer] = question.exec(line) ?? []
      return answer === undefined ? [] : [[inPlace(asked, places).trimEnd(), `${answer}\n`] as const]
    })
    const folder = join(home, '.folder')
    const { code, shown } = await runLineOnTerminal(
      `stty cols ${columns}; ${command}; code=$?; pwd > '${folder}'; exit $code`,
      { cwd, env, typed: questions },
    )
    const screen = createTerminalScreen(columns, rows)
    screen.write(toKnownSequences(shown).replaceAll('\n', '\r\n'))
    const lines = screen.text().split('\n')
    const wanted = expected.map((line) => inPlace(line, places))
    if (code !== 0 || !matches(lines.map(toComparable), wanted.map(toComparable)))
      throw new Error(
        `$ ${command}\nended with ${code} and shows:\n${screen.text()}\n\nnot:\n${wanted.join('\n')}`,
      )
    cwd = (await readFile(folder, 'utf8')).trimEnd()
  }
}

const columns = 200
const rows = 200

export interface FollowOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** The folders of the page, and those of this machine. Longer ones come first. */
  readonly places: readonly (readonly [shown: string, real: string])[]
}

/**
 * Files have tabs, Node's questions move the cursor with sequences that a chat does not use, and a command that takes more than a second
 * shows a line of progress, which it erases.
 */
export function toKnownSequences(shown: string): string {
  return (
    shown
      // oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
      .replaceAll(/\r[^\r\n]*\u001B\[K/g, '')
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/\u001B\[(\d+)G/g, (_, column) =>
        column === '1' ? '\r' : `\r\u001B[${Number(column) - 1}C`,
      )
      .replaceAll('\u001B[0J', '\u001B[J')
      .replaceAll('\t', ' ')
  )
}

function inPlace(line: string, places: FollowOptions['places']): string {
  return places.reduce((text, [shown, real]) => text.replaceAll(shown, real), line)
}

/** Without what differs from run to run: ids, times, durations, and the widths of columns. */
export function toComparable(line: string): string {
  return line
    .replaceAll(/\b[\da-f]{8}\b/g, 'ID')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/\b[\d.]+ m?s\b/g, 'DURATION')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** `…` stands for the rest of a line, and alone for any number of lines. */
export function matches(lines: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...others] = wanted
  if (first === undefined) return lines.every((line) => line === '')
  if (first === '…') return lines.some((_, at) => matches(lines.slice(at), others)) || matches([], others)
  const [start = '', ...ends] = first.split('…')
  const line = lines[0]
  if (line === undefined) return first === '' && matches(lines, others)
  const isSame =
    ends.length === 0 ? line === first : line.startsWith(start) && line.endsWith(ends.at(-1) ?? '')
  return isSame && matches(lines.slice(1), others)
}
