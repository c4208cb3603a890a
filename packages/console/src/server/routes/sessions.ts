import type { TranscriptEntry } from '@ostler/agent-api'
import { foldTranscript, transcribe, type CallSummary, type History } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { SessionDetail, SessionPage } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { parseQuery } from '../parse-request.ts'

const pageSize = 50
/** The maximum of calls shown with a session. The list of calls has all. */
const callsMax = 1_000

/** The last session of a page: its update time and ID. */
const cursor = z.string().regex(/^\S+ \S+$/)
const listSchema = z.strictObject({ after: cursor.optional() })

export function sessionRoutes({ history, audit }: ConsoleContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/sessions',
      handle({ query }) {
        const [updatedAt, id] = parseQuery(listSchema, query).after?.split(' ') ?? []
        const after = updatedAt === undefined || id === undefined ? undefined : { updatedAt, id }
        const sessions = history.listSessions({ limit: pageSize, ...(after && { after }) })
        const last = sessions.length < pageSize ? undefined : sessions.at(-1)
        const page: SessionPage = { sessions, ...(last && { next: `${last.updatedAt} ${last.id}` }) }
        return json(page)
      },
    },
    {
      method: 'GET',
      path: '/api/sessions/:id',
      async handle({ params }) {
        const session = find(history, params['id'] ?? '')
        const transcript: TranscriptEntry[] = []
        for await (const entry of transcribe(history.entryPages(session.id))) transcript.push(entry)
        const detail: SessionDetail = {
          session,
          turns: foldTranscript(transcript),
          calls: callsOf(history, session.id),
        }
        return json(detail)
      },
    },
    {
      method: 'DELETE',
      path: '/api/sessions/:id',
      async handle({ params }) {
        const { id, title } = find(history, params['id'] ?? '')
        if (history.isSessionOpen(id))
          throw requestError(409, 'console.session_open', 'This session is open in an editor. Close it there first.')
        await audit.run('delete-session', { session: id, title }, () => history.deleteSession(id))
        return json({})
      },
    },
  ]
}

function find(history: History, id: string) {
  const session = history.findSession(id)
  if (session === undefined) throw requestError(404, 'console.unknown_session', 'There is no such session.')
  return session
}

/** In order of their start. */
function callsOf(history: History, sessionId: string): readonly CallSummary[] {
  return history.listCalls({ sessionId, limit: callsMax }).toReversed()
}
