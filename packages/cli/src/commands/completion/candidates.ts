import type { CommandSpec, Completion, FlagSpec } from '../../command-line/command-spec.ts'

export interface Candidate {
  readonly text: string
  readonly description?: string
}

/** What may stand where the cursor is: words to choose from, or a kind of thing that must be looked up. */
export interface Expected {
  readonly candidates: readonly Candidate[]
  readonly kind?: Exclude<Completion, readonly string[]>
  /** What of the current word stands in front of what is being completed: `--status=`. */
  readonly prefix: string
}

/** What can follow on a command line; the last word is the one that is being written. */
export function expectedAt(root: CommandSpec, words: readonly string[]): Expected {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { spec, rest } = descend(root, before)
  const { flag, count, isOver } = walk(spec, rest)
  // What comes after -- is a command of somebody else.
  if (isOver) return { candidates: [], kind: 'file', prefix: '' }
  if (flag !== undefined) return toExpected(flag.completion, '')
  const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(current) ?? []
  if (value !== undefined) return toExpected(spec.flags[name]?.completion, `--${name}=`)
  if (current.startsWith('-')) return { candidates: flagCandidates(spec), prefix: '' }
  const expected = toExpected(spec.words?.[Math.min(count, spec.words.length - 1)], '')
  const subcommands =
    count === 0 ? (spec.subcommands ?? []).map(({ name, summary }) => ({ text: lastWord(name), description: summary })) : []
  const help = spec === root && count === 0 ? [{ text: 'help', description: 'Show the help of a command' }] : []
  return { ...expected, candidates: [...subcommands, ...help, ...expected.candidates] }
}

/** `help mcp add` completes as `mcp add` does. */
function descend(root: CommandSpec, words: readonly string[]): { spec: CommandSpec; rest: readonly string[] } {
  let spec = root
  let rest = words[0] === 'help' ? words.slice(1) : words
  for (;;) {
    const next = spec.subcommands?.find(({ name }) => lastWord(name) === rest[0])
    if (next === undefined) return { spec, rest }
    spec = next
    rest = rest.slice(1)
  }
}

/** Whether a flag still wants its value, how many words there are that belong to no flag, and whether a -- has ended the flags. */
function walk(spec: CommandSpec, words: readonly string[]): { flag?: FlagSpec; count: number; isOver: boolean } {
  let flag: FlagSpec | undefined
  let count = 0
  for (const word of words) {
    if (flag !== undefined) flag = undefined
    else if (word === '--') return { count, isOver: true }
    else if (!word.startsWith('-') || word === '-') count++
    else {
      const found = findFlag(spec, word)
      flag = found?.type === 'string' ? found : undefined
    }
  }
  return { ...(flag && { flag }), count, isOver: false }
}

function findFlag({ flags }: CommandSpec, word: string): FlagSpec | undefined {
  if (word.startsWith('--')) return flags[word.slice(2)]
  return Object.values(flags).find(({ short }) => short !== undefined && word === `-${short}`)
}

function flagCandidates({ flags }: CommandSpec): Candidate[] {
  return Object.entries(flags).map(([name, { help }]) => ({ text: `--${name}`, description: help.replaceAll('\n', ' ') }))
}

function toExpected(completion: Completion | undefined, prefix: string): Expected {
  if (completion === undefined || completion === 'nothing') return { candidates: [], prefix }
  return typeof completion === 'string'
    ? { candidates: [], kind: completion, prefix }
    : { candidates: completion.map((text) => ({ text })), prefix }
}

function lastWord(name: string): string {
  return name.split(' ').at(-1) ?? ''
}
