import { setImmediate as nextTask } from 'node:timers/promises'
import type { TranscriptEntry } from '@ostler/agent-api'
import { transcribe, type CallSummary, type EntryPlace, type History, type SessionEntry } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { NewEntries, SessionDetail, SessionPage } from '../../api.ts'
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

/** The turn and the number of an entry. */
const place = z.string().regex(/^-?\d+\.-?\d+$/)
const entriesSchema = z.strictObject({ after: place })
/** Limits one reply. The page asks again. */
const entryPagesMax = 8

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
        const page: SessionPage = { sessions, open: history.openSessions(), ...(last && { next: `${last.updatedAt} ${last.id}` }) }
        return json(page)
      },
    },
    {
      method: 'GET',
      path: '/api/sessions/:id',
      async handle({ params }) {
        const session = find(history, params['id'] ?? '')
        const openBefore = history.openCalls(session.id)
        const isOpen = (id: string) => openBefore.has(id) || history.openCalls(session.id).has(id)
        const pages = readPages(history, session.id)
        const entries: TranscriptEntry[] = []
        for await (const entry of transcribe(pages.read(), { isOpen })) entries.push(entry)
        const detail: SessionDetail = {
          session,
          isOpen: history.isSessionOpen(session.id),
          entries,
          place: toPlaceText(pages.last),
          calls: callsOf(history, session.id),
          offers: history.toolOffers.list(session.id),
        }
        return json(detail)
      },
    },
    {
      method: 'GET',
      path: '/api/sessions/:id/entries',
      async handle({ params, query }) {
        const { id } = find(history, params['id'] ?? '')
        const after = fromPlaceText(parseQuery(entriesSchema, query).after)
        const pages = readPages(history, id, after, entryPagesMax)
        const entries: TranscriptEntry[] = []
        for await (const page of pages.read()) entries.push(...page.filter(isOfTranscript))
        const offers = history.toolOffers.list(id, after.turn)
        return json({ entries, place: toPlaceText(pages.last), offers } satisfies NewEntries)
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

/** Reads pages of entries, and remembers its position. */
function readPages(history: History, id: string, after?: EntryPlace, pagesMax = Infinity) {
  const pages = {
    last: after,
    async *read(): AsyncGenerator<readonly SessionEntry[], void> {
      for (let count = 0; count < pagesMax; count++) {
        const { entries, last } = history.entryPage(id, pages.last)
        if (last === undefined) return
        pages.last = last
        yield entries
        await nextTask()
      }
    },
  }
  return pages
}

function isOfTranscript(entry: SessionEntry): entry is TranscriptEntry {
  return entry.kind === 'prompt' || entry.kind === 'event'
}

const start: EntryPlace = { turn: -1, seq: -1 }

function toPlaceText({ turn, seq } = start): string {
  return `${turn}.${seq}`
}

function fromPlaceText(text: string): EntryPlace {
  const [turn = start.turn, seq = start.seq] = text.split('.').map(Number)
  return { turn, seq }
}

/** In order of their start. */
function callsOf(history: History, sessionId: string): readonly CallSummary[] {
  return history.listCalls({ sessionId, limit: callsMax }).toReversed()
}
