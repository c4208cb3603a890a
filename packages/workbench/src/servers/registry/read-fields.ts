import { OstlerError } from '@ostler/agent-api'
import { isRecord, hasUnseen, stripHiddenLine } from '@ostler/agent-api/internal'

export type Fields = Readonly<Record<string, unknown>>

const shownCharsMax = 1_000
const valueCharsMax = 4_000
const itemsMax = 100

/** One line without hidden characters, cut. Undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = stripHiddenLine(value.slice(0, 2 * shownCharsMax))
  if (line === '') return undefined
  return line.length > shownCharsMax ? `${line.slice(0, shownCharsMax - 1)}…` : line
}

/** The reason why a way to run a server cannot be used. It is caught where the ways of a server are read. */
export function refusal(reason: string): OstlerError {
  return new OstlerError('registry.refused', reason)
}

/** Throws a refusal for a text that a person could not see whole, as part of a command line or an address. */
export function checkSeen(text: string, what: string): void {
  const problem = hiddenProblem(text)
  if (problem !== undefined) throw refusal(`${what} ${problem}`)
}

export function hiddenProblem(text: string): string | undefined {
  if (text.length > valueCharsMax) return `is longer than ${valueCharsMax} characters`
  return hasUnseen(text) ? 'contains characters that cannot be seen' : undefined
}

/** A missing list is empty. Undefined for anything else, and for a list that is too long. */
export function listOf(value: unknown): readonly Fields[] | undefined {
  if (value === undefined || value === null) return []
  return Array.isArray(value) && value.length <= itemsMax && value.every(isRecord) ? value : undefined
}

export function linkOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
