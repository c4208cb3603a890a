import type { ListSessionsResponse, SessionInfo } from '@agentclientprotocol/sdk'
import type { Agent, SessionSummary } from '@ostler/agent-api'
import { readDirectory } from './from-acp-new-session.ts'
import { readFields } from './read-params.ts'
import { fromSessionCursor, toSessionCursor, type SessionPlace } from './session-cursor.ts'

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
export function listSessions(agent: Pick<Agent, 'listSessions'>, wanted: SessionsWanted): ListSessionsResponse {
  const found = agent.listSessions({ ...wanted, limit: listedSessionsMax + 1 })
  const page = found.slice(0, listedSessionsMax)
  const last = page.at(-1)
  return {
    sessions: page.map(toSessionInfo),
    ...(last === undefined || found.length === page.length ? {} : { nextCursor: toSessionCursor(last) }),
  }
}

function toSessionInfo({ id, cwd, additionalDirectories, title, updatedAt }: SessionSummary): SessionInfo {
  return { sessionId: id, cwd, additionalDirectories: [...additionalDirectories], ...(title === null ? {} : { title }), updatedAt }
}
