import type { ListSessionsResponse, SessionInfo } from '@agentclientprotocol/sdk'
import type { Agent, SessionSummary } from '@ostler/agent-api'
import { readDirectory } from './from-acp-new-session.ts'
import { invalidParams, readFields } from './read-params.ts'

const listedSessionsMax = 50

interface SessionsWanted {
  readonly cwd?: string
  readonly after?: SessionPlace
}

export function fromAcpListSessions(raw: unknown): SessionsWanted {
  const { cwd, cursor } = readFields(raw ?? {})
  return {
    ...(cwd === null || cwd === undefined ? {} : { cwd: readDirectory(cwd, 'cwd') }),
    ...(cursor === null || cursor === undefined ? {} : { after: fromSessionCursor(cursor) }),
  }
}

/** Returns one page, most recently used first. */
export function listSessions(
  agent: Pick<Agent, 'listSessions'>,
  wanted: SessionsWanted,
): ListSessionsResponse {
  const found = agent.listSessions({ ...wanted, limit: listedSessionsMax + 1 })
  const page = found.slice(0, listedSessionsMax)
  const last = page.at(-1)
  return {
    sessions: page.map(toSessionInfo),
    ...(last === undefined || found.length === page.length ? {} : { nextCursor: toSessionCursor(last) }),
  }
}

function toSessionInfo({ id, cwd, additionalDirectories, title, updatedAt }: SessionSummary): SessionInfo {
  return {
    sessionId: id,
    cwd,
    additionalDirectories: [...additionalDirectories],
    ...(title === null ? {} : { title }),
    updatedAt,
  }
}

type SessionPlace = Pick<SessionSummary, 'updatedAt' | 'id'>

/** Increase this when the format changes, so that older cursors are rejected. */
const version = 1

/** Our cursors are shorter. */
const cursorCharsMax = 1_024

function toSessionCursor({ updatedAt, id }: SessionPlace): string {
  return Buffer.from(JSON.stringify([version, updatedAt, id])).toString('base64url')
}

function fromSessionCursor(raw: unknown): SessionPlace {
  const place = typeof raw === 'string' && raw.length <= cursorCharsMax ? decode(raw) : undefined
  // Only accept the exact text that we would have written, because base64 decoding is lenient.
  if (place === undefined || toSessionCursor(place) !== raw)
    throw invalidParams('cursor', 'was not returned by session/list')
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
