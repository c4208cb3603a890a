import { defineCommand } from '../command-line/command.ts'
import type { Io } from '../terminal/io.ts'
import { expectedAt, type Candidate, type Expected } from './completion/candidates.ts'

/** Answers the scripts of `ostler completion`. The last word is the one under the cursor. Prints nothing if anything fails. */
export const command = defineCommand({
  synopsis: ['SHELL -- WORD...'],
  about: 'Answers the completion script of a shell.',
  words: ['nothing'],
  takesAnything: true,
  async run(io, { words: [shell, , ...words] }, commands) {
    try {
      const line = toLineOf(shell, words)
      const expected = await expectedAt(commands, line)
      const current = (line.at(-1) ?? '').slice(expected.prefix.length)
      const all = [...expected.candidates, ...(await lookUp(io, expected.kind, line))]
      const fitting = all.filter(({ text }) => text.startsWith(current) && !/[\p{Cc}]/u.test(text))
      // Some shells replace the whole word, others the part after `=`.
      const lines = fitting.map((candidate) =>
        toLine(
          shell === 'fish' || shell === 'powershell'
            ? { ...candidate, text: expected.prefix + candidate.text }
            : candidate,
        ),
      )
      io.stdout.write([...lines, toDirective(expected.kind), ''].join('\n'))
    } catch {
      // The person is typing. A message would appear in the middle of their line.
    }
  },
})

function toLineOf(shell: string | undefined, words: readonly string[]): readonly string[] {
  if (shell === 'bash') return joinEquals(words)
  return shell === 'powershell' ? [...words.slice(0, -1), (words.at(-1) ?? '').replace(/^\+/, '')] : words
}

/** bash splits `--status=error` into three words. */
function joinEquals(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const [index, word] of words.entries()) {
    const last = joined.at(-1)
    if (last?.startsWith('--') === true && (word === '=' || words[index - 1] === '='))
      joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined
}

async function lookUp(
  io: Io,
  kind: Expected['kind'],
  words: readonly string[],
): Promise<readonly Candidate[]> {
  if (kind !== 'server' && kind !== 'session') return []
  const { lookUpServers, lookUpSessions } = await import('./completion/look-up.ts')
  const places = { agent: valueOf('--agent', words), 'state-dir': valueOf('--state-dir', words) }
  return kind === 'server' ? lookUpServers(io, places) : lookUpSessions(io, places)
}

function valueOf(flag: string, words: readonly string[]): string | undefined {
  const index = words.lastIndexOf(flag)
  return index === -1
    ? words.findLast((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1)
    : words[index + 1]
}

function toLine({ text, description }: Candidate): string {
  return description === undefined ? text : `${text}\t${description.replace(/\p{C}+/gu, ' ')}`
}

function toDirective(kind: Expected['kind']): string {
  return kind === 'file' || kind === 'directory' ? `:${kind}` : ':nothing'
}
