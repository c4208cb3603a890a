import { stripHidden } from '../../base/strip-hidden.ts'

/** A word of a shell line, as the program gets it. */
export interface ShellWord {
  readonly text: string
  readonly isQuoted: boolean
}

const lineCharsMax = 300

/** Characters that are literal outside quotes in every shell. */
const plain = /[A-Za-z0-9_./:@%+=,-]/
/** `HEAD~1`: in the middle of a word, a tilde is not a home directory. */
const beforeTilde = /[A-Za-z0-9_-]/
/** Not every shell treats a backslash in single quotes as literal. */
const quotable = { "'": /[^'\\]/, '"': /[^"\\$`!]/ } as const

const keywords: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac in select function time coproc namespace end begin and or not'.split(
    ' ',
  ),
)

/**
 * The words of a line that is one simple command of literal words. Undefined for anything else: several commands, pipes, redirections,
 * assignments, expansions, escapes, comments, hidden characters. When in doubt, the result is undefined, so this accepts less than a shell.
 */
export function parseShellLine(line: string): readonly ShellWord[] | undefined {
  if (line.length > lineCharsMax || stripHidden(line) !== line || line.normalize('NFKC') !== line)
    return undefined
  const words: ShellWord[] = []
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ') {
      at++
      continue
    }
    const word = readWord(line, at)
    if (word === undefined) return undefined
    words.push(word)
    at = word.end
  }
  const [program] = words
  return program === undefined || !isProgram(program) ? undefined : words
}

function readWord(line: string, from: number): (ShellWord & { readonly end: number }) | undefined {
  let text = ''
  let isQuoted = false
  let at = from
  for (; at < line.length && line[at] !== ' '; at++) {
    const character = line[at] ?? ''
    if (character === "'" || character === '"') {
      const end = line.indexOf(character, at + 1)
      const content = line.slice(at + 1, end)
      if (end === -1 || ![...content].every((each) => quotable[character].test(each) && !isBreak(each)))
        return undefined
      text += content
      isQuoted = true
      at = end
    } else if (plain.test(character) || (character === '~' && beforeTilde.test(line[at - 1] ?? ''))) {
      text += character
    } else {
      return undefined
    }
  }
  // Some shells replace `=program` and `%job`.
  return /^[=%]/.test(line[from] ?? '') ? undefined : { text, isQuoted, end: at }
}

function isBreak(character: string): boolean {
  return character < ' ' || character === '\u007f'
}

/** Not an assignment, and not hidden by quotes. */
function isProgram({ text, isQuoted }: ShellWord): boolean {
  return !isQuoted && /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/.test(text) && !keywords.has(text)
}
