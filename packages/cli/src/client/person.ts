import type { Style } from '../terminal/style.ts'

export interface Choice {
  readonly id: string
  /** The key that chooses it. */
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
  /** Asks for one line. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
}
