import type { SessionSummary } from '@ostler/agent-api'
import { invalidParams } from './invalid-params.ts'

/** The last session of a page. */
export type SessionPlace = Pick<SessionSummary, 'updatedAt' | 'id'>

/** Increase this when the format changes, so that older cursors are rejected. */
const version = 1

/** Our cursors are shorter. */
const cursorCharsMax = 1_024

export function toSessionCursor({ updatedAt, id }: SessionPlace): string {
  return Buffer.from(JSON.stringify([version, updatedAt, id])).toString('base64url')
}

export function fromSessionCursor(raw: unknown): SessionPlace {
  const place = typeof raw === 'string' && raw.length <= cursorCharsMax ? decode(raw) : undefined
  // Only accept the exact text that we would have written, because base64 decoding is lenient.
  if (place === undefined || toSessionCursor(place) !== raw) throw invalidParams('cursor', 'was not returned by session/list')
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
