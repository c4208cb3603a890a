import { quoteWord } from '../../base/quote-word.ts'
import { isSecretPath } from '../../base/sensitive-path.ts'
import type { ShellCommand } from '../../messages/tool.ts'
import { harmlessCommands, type HarmlessCommand, type WordKind } from './harmless-commands.ts'
import { parseShellLine, type ShellWord } from './parse-shell-line.ts'

/** The shell lines that an "always" allows: exactly these words, or lines that begin with them, in one directory. */
export interface CommandGrant {
  readonly words: readonly string[]
  /** False if harmless words may follow. */
  readonly isExact: boolean
  readonly cwd: string
}

/** Undefined if the line needs approval each time. */
export function toCommandGrant({ line, cwd }: ShellCommand): CommandGrant | undefined {
  // A Windows directory: the shell there parses lines differently.
  const words = cwd.startsWith('/') ? parseShellLine(line) : undefined
  if (words === undefined) return undefined
  const harmless = harmlessCommands.find((command) => isHarmless(words, command))
  if (harmless !== undefined) return { words: harmless.words, isExact: false, cwd }
  return { words: words.map(({ text }) => text), isExact: true, cwd }
}

export function coversCommand(grant: CommandGrant, command: ShellCommand): boolean {
  const asked = toCommandGrant(command)
  return (
    asked !== undefined &&
    asked.cwd === grant.cwd &&
    asked.isExact === grant.isExact &&
    isSame(asked.words, grant.words)
  )
}

/** `"npm test" in /project`, or `"git status …" in /project` if harmless words may follow. */
export function shownCommand({ words, isExact, cwd }: CommandGrant, place = cwd): string {
  return `"${words.map((word) => quoteWord(word)).join(' ')}${isExact ? '' : ' …'}" in ${place}`
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index])
}

function isHarmless(words: readonly ShellWord[], command: HarmlessCommand): boolean {
  const { words: first, operands } = command
  const head = words.slice(0, first.length)
  const texts = words.map(({ text }) => text)
  if (!isSame(texts.slice(0, first.length), first) || head.some(({ isQuoted }) => isQuoted)) return false
  const rest = texts.slice(first.length)
  const dashes = operands === undefined ? -1 : rest.indexOf('--')
  const [before, after] = dashes === -1 ? [rest, []] : [rest.slice(0, dashes), rest.slice(dashes + 1)]
  return areHarmless(before, command) && after.every((word) => isOperand(word, command))
}

function areHarmless(words: readonly string[], command: HarmlessCommand): boolean {
  const { options = [], flags = '' } = command
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (isFlags(word, flags) || isOperand(word, command)) continue
    const option = options.find((each) => isOption(word, each))
    if (option === undefined) return false
    const kind = /^\S+ <(\w+)>$/.exec(option)?.[1]
    if (kind === undefined) continue
    at++
    if (!isValue(words[at], kind as WordKind)) return false
  }
  return true
}

function isOperand(word: string, { operands }: HarmlessCommand): boolean {
  return operands !== undefined && !word.startsWith('-') && fits(word, operands)
}

function isFlags(word: string, flags: string): boolean {
  return /^-[A-Za-z0-9]+$/.test(word) && Array.from(word.slice(1)).every((flag) => flags.includes(flag))
}

/** Some programs treat a value that looks like an option as one. */
function isValue(word: string | undefined, kind: WordKind): boolean {
  return word !== undefined && !word.startsWith('-') && fits(word, kind)
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
function fits(word: string, kind: WordKind): boolean {
  switch (kind) {
    case 'text':
      return true
    case 'number':
      return /^\d{1,6}$/.test(word)
    case 'name':
      return name.test(word) && !word.split(/[/:]/).includes('..') && !word.split(':').some(isSecretPath)
  }
}
