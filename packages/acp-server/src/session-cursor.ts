import type { SessionSummary } from '@ostler/agent-api'
import { invalidParams } from './invalid-params.ts'

/** Where a page of the list ended. */
export type SessionPlace = Pick<SessionSummary, 'updatedAt' | 'id'>

/** What a cursor says may change: one that another Ostler has given out must not be misread. */
const version = 1

/** Longer is none of ours. */
const cursorCharsMax = 1_024

export function toSessionCursor({ updatedAt, id }: SessionPlace): string {
  return Buffer.from(JSON.stringify([version, updatedAt, id])).toString('base64url')
}

export function fromSessionCursor(raw: unknown): SessionPlace {
  const place = typeof raw === 'string' && raw.length <= cursorCharsMax ? decode(raw) : undefined
  // Only what we would have written ourselves: base64 can be read in many ways.
  if (place === undefined || toSessionCursor(place) !== raw) throw invalidParams('cursor', 'is not one that session/list has returned')
  return place
}

function decode(cursor: string): SessionPlace | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined
  const [given, updatedAt, id] = value as readonly unknown[]
  if (given !== version || typeof updatedAt !== 'string' || typeof id !== 'string') return undefined
  return Number.isNaN(Date.parse(updatedAt)) ? undefined : { updatedAt, id }
}
