import { isSensitivePath } from '../base/sensitive-path.ts'
import type { ShellCommand } from '../messages/tool.ts'
import { harmlessCommands, type HarmlessCommand, type WordKind } from './harmless-commands.ts'
import { parseShellLine, type ShellWord } from './parse-shell-line.ts'

/** The shell lines that an "always" allows: exactly these words, or lines that begin with them, in one directory. */
export interface CommandGrant {
  readonly words: readonly string[]
  /** False if harmless words may follow. */
  readonly isExact: boolean
  readonly cwd: string
}

/** Undefined if the line is asked for each time. */
export function toCommandGrant({ line, cwd }: ShellCommand): CommandGrant | undefined {
  // A directory of Windows: its shell reads a line in another way.
  const words = cwd.startsWith('/') ? parseShellLine(line) : undefined
  if (words === undefined) return undefined
  const harmless = harmlessCommands.find((command) => isHarmless(words, command))
  if (harmless !== undefined) return { words: harmless.words, isExact: false, cwd }
  return { words: words.map(({ text }) => text), isExact: true, cwd }
}

export function coversCommand(grant: CommandGrant, command: ShellCommand): boolean {
  const asked = toCommandGrant(command)
  return asked !== undefined && asked.cwd === grant.cwd && asked.isExact === grant.isExact && isSame(asked.words, grant.words)
}

/** `"npm test" in /project`, or `"git status …" in /project` if harmless words may follow. */
export function shownCommand({ words, isExact, cwd }: CommandGrant, place = cwd): string {
  return `"${words.map(quoted).join(' ')}${isExact ? '' : ' …'}" in ${place}`
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index])
}

function isHarmless(words: readonly ShellWord[], { words: first, options = [], flags = '', operands }: HarmlessCommand): boolean {
  if (!first.every((word, index) => words[index]?.text === word && !words[index].isQuoted)) return false
  let isAfterDashes = false
  for (let at = first.length; at < words.length; at++) {
    const word = words[at]?.text ?? ''
    if (word === '--' && !isAfterDashes) isAfterDashes = operands !== undefined
    else if (isAfterDashes || !word.startsWith('-')) {
      if (operands === undefined || !fits(word, operands)) return false
    } else if (!isFlags(word, flags)) {
      const option = options.find((each) => isOption(word, each))
      if (option === undefined) return false
      const value = /^\S+ <(\w+)>$/.exec(option)?.[1]
      if (value === undefined) continue
      at++
      if (!fits(words[at]?.text, value as WordKind)) return false
    }
    if (word === '--' && !isAfterDashes) return false
  }
  return true
}

/** Several one-letter flags in one word. */
function isFlags(word: string, flags: string): boolean {
  return (
    /^-[A-Za-z0-9]+$/.test(word) &&
    word
      .slice(1)
      .split('')
      .every((flag) => flags.includes(flag))
  )
}

/** `--flag`, `--option=<kind>`, or `-o <kind>`, whose value is the next word. */
function isOption(word: string, option: string): boolean {
  const [, name = option, separator, kind] = /^(\S+?)(=| )?<(\w+)>$/.exec(option) ?? []
  if (kind === undefined || separator === ' ') return word === name
  const start = `${name}${separator ?? ''}`
  return word.startsWith(start) && fits(word.slice(start.length), kind as WordKind)
}

/** `:/` begins an absolute path, or an address. */
const name = /^(?!.*:\/)[A-Za-z0-9_.][A-Za-z0-9_./:@+,~-]*$/
function fits(word: string | undefined, kind: WordKind): boolean {
  if (word === undefined) return false
  switch (kind) {
    case 'text':
      return true
    case 'number':
      return /^\d{1,6}$/.test(word)
    case 'name':
      return name.test(word) && !word.split(/[/:]/).includes('..') && !word.split(':').some(isSensitivePath)
  }
}
