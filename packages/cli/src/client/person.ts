import { onAbort } from '@ostler/agent-api/internal'
import { createInterface } from 'node:readline'
import type { Environment, Terminal } from '../terminal/io.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { styleFor, type Style } from '../terminal/style.ts'

export interface Choice {
  readonly id: string
  readonly key: string
  readonly label: string
}

/** The person at the terminal. An answer is undefined if the person or the signal ended the question without one. */
export interface Person {
  readonly style: Style
  columns(): number
  /** Shows rows, which must be safe to show. */
  show(rows: readonly string[]): void
  choose(question: string, choices: readonly Choice[], signal: AbortSignal): Promise<string | undefined>
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
}

const columnsDefault = 80

/** Asks on a terminal, line by line. The terminal stays in its usual mode, so Ctrl-C is a signal, and nothing has to be restored. */
export function createLinePerson(
  { input, output }: Pick<Terminal, 'input' | 'output'>,
  env: Environment,
): Person {
  const readLine = (question: string, signal: AbortSignal) => {
    output.write(`${question} `)
    return nextLine(input, signal)
  }
  return {
    style: styleFor(output, env),
    columns: () => output.columns || columnsDefault,
    show: (rows) => void output.write(`${rows.join('\n')}\n`),
    async choose(question, choices, signal) {
      output.write(`${choices.map(({ key, label }) => `  ${key}  ${label}`).join('\n')}\n`)
      const range = choices.map(({ key }) => key).join('/')
      for (;;) {
        const line = await readLine(`${question} [${range}]`, signal)
        if (line === undefined) return undefined
        const chosen = findChoice(choices, line)
        if (chosen !== undefined) return chosen.id
      }
    },
    ask: (question, signal) => readLine(`${toSafeLine(question)}:`, signal),
  }
}

function findChoice(choices: readonly Choice[], line: string): Choice | undefined {
  const wanted = line.trim().toLowerCase()
  return choices.find(
    ({ key }) => key === wanted || (key === 'y' && wanted === 'yes') || (key === 'n' && wanted === 'no'),
  )
}

async function nextLine(input: Terminal['input'], signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined
  const lines = createInterface({ input, terminal: false })
  const answer = Promise.withResolvers<string | undefined>()
  const stop = () => answer.resolve(undefined)
  using _aborting = onAbort(signal, stop)
  lines.once('line', answer.resolve)
  lines.once('close', stop)
  try {
    return await answer.promise
  } finally {
    lines.close()
  }
}
