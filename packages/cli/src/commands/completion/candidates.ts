import {
  flagsOf,
  type Command,
  type CommandEntry,
  type Completion,
  type FlagSpec,
} from '../../command-line/command.ts'
import { findCommand } from '../../command-line/find-command.ts'

export interface Candidate {
  readonly text: string
  readonly description?: string
}

/** The expected input at the cursor: words to choose from, or a kind of value to look up. */
export interface Expected {
  readonly candidates: readonly Candidate[]
  readonly kind?: Exclude<Completion, readonly string[]>
  /** The part of the current word that is complete already: `--status=`. */
  readonly prefix: string
}

/** Lists what can follow on a command line. The last word is the one being typed. */
export async function expectedAt(root: CommandEntry, words: readonly string[]): Promise<Expected> {
  const current = words.at(-1) ?? ''
  const { entry, args } = findCommand(root, words.slice(0, -1))
  const { command } = await entry.load()
  const { flag, count, isOver } = walk(command, args)
  // The words after -- belong to another program.
  if (isOver) return { candidates: [], kind: 'file', prefix: '' }
  if (flag !== undefined) return toExpected(flag.completion, '')
  const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(current) ?? []
  if (value !== undefined) return toExpected(flagsOf(command)[name]?.completion, `--${name}=`)
  if (current.startsWith('-')) return { candidates: flagCandidates(command), prefix: '' }
  const expected = toExpected(command.words?.[Math.min(count, command.words.length - 1)], '')
  const subcommands = count === 0 ? (entry.subcommands ?? []).flatMap(toCandidate) : []
  const help =
    entry === root && count === 0 ? [{ text: 'help', description: 'Show the help of a command' }] : []
  return { ...expected, candidates: [...subcommands, ...help, ...expected.candidates] }
}

function toCandidate({ name, summary }: CommandEntry): Candidate[] {
  return summary === undefined ? [] : [{ text: name, description: summary }]
}

/** The flag that still needs its value, the number of words without a flag, and whether a -- has ended the flags. */
function walk(
  command: Command,
  words: readonly string[],
): { flag?: FlagSpec; count: number; isOver: boolean } {
  let flag: FlagSpec | undefined
  let count = 0
  for (const word of words) {
    if (flag !== undefined) flag = undefined
    else if (word === '--') return { count, isOver: true }
    else if (!word.startsWith('-') || word === '-') count++
    else {
      const found = findFlag(command, word)
      flag = found?.type === 'string' ? found : undefined
    }
  }
  return { flag, count, isOver: false }
}

function findFlag(command: Command, word: string): FlagSpec | undefined {
  const flags = flagsOf(command)
  if (word.startsWith('--')) return flags[word.slice(2)]
  return Object.values(flags).find(({ short }) => short !== undefined && word === `-${short}`)
}

function flagCandidates(command: Command): Candidate[] {
  return Object.entries(flagsOf(command)).map(([name, { help }]) => ({
    text: `--${name}`,
    description: help.replaceAll('\n', ' '),
  }))
}

function toExpected(completion: Completion | undefined, prefix: string): Expected {
  if (completion === undefined || completion === 'nothing') return { candidates: [], prefix }
  return typeof completion === 'string'
    ? { candidates: [], kind: completion, prefix }
    : { candidates: completion.map((text) => ({ text })), prefix }
}
