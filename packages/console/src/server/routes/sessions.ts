import { setImmediate as nextTask } from 'node:timers/promises'
import type { TranscriptEntry } from '@ostler/agent-api'
import { transcribe, type EntryPlace, type State, type SessionEntry } from '@ostler/agent-api/internal'
import { z } from 'zod'
import type { NewEntries, SessionDetail, SessionPage, SessionTools } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/route.ts'
import { parseQuery, parseRequest } from '../parse-request.ts'
import { routes } from './route-table.ts'

const pageSize = 50
/** Maximum number of calls shown with a session. The list of calls has all. */
const callsMax = 1_000

/** The last session of a page: its update time and ID. */
const cursor = z.string().regex(/^\S+ \S+$/)
const listSchema = z.strictObject({ after: cursor.optional() })

/** The turn and the number of an entry. */
const place = z.string().regex(/^-?\d+\.-?\d+$/)
const entriesSchema = z.strictObject({ after: place })
const toolsSchema = z.strictObject({ server: z.string() })
const switchSchema = toolsSchema.extend({ tool: z.string(), isOff: z.boolean() })
/** Limits one reply. The page asks again. */
const entryPagesMax = 8

export function sessionRoutes({ state, audit }: ConsoleContext) {
  return routes({
    'GET /api/sessions'({ query }): SessionPage {
      const [updatedAt, id] = parseQuery(listSchema, query).after?.split(' ') ?? []
      const after = updatedAt === undefined || id === undefined ? undefined : { updatedAt, id }
      state.changes.look('sessions')
      const sessions = state.sessions.list({ limit: pageSize, after })
      const last = sessions.length < pageSize ? undefined : sessions.at(-1)
      return { sessions, open: state.presence.openSessions(), next: last && `${last.updatedAt} ${last.id}` }
    },
    async 'GET /api/sessions/:id'({ params }): Promise<SessionDetail> {
      const session = find(state, params['id'])
      const openBefore = state.calls.openIn(session.id)
      const isOpen = (id: string) => openBefore.has(id) || state.calls.openIn(session.id).has(id)
      const pages = readPages(state, session.id)
      const entries: TranscriptEntry[] = []
      for await (const entry of transcribe(pages.read(), { isOpen })) entries.push(entry)
      return {
        session,
        isOpen: state.presence.isSessionOpen(session.id),
        entries,
        place: toPlaceText(pages.last),
        // In order of their start.
        calls: state.calls.list({ sessionId: session.id, limit: callsMax }).toReversed(),
        offers: state.sessions.offers.list(session.id),
      }
    },
    async 'GET /api/sessions/:id/entries'({ params, query }): Promise<NewEntries> {
      const { id } = find(state, params['id'])
      const after = fromPlaceText(parseQuery(entriesSchema, query).after)
      const pages = readPages(state, id, after, entryPagesMax)
      const entries: TranscriptEntry[] = []
      for await (const page of pages.read()) entries.push(...page.filter(isOfTranscript))
      return { entries, place: toPlaceText(pages.last), offers: state.sessions.offers.list(id, after.turn) }
    },
    'GET /api/sessions/:id/tools'({ params, query }): SessionTools {
      const {
        identity,
        off,
        agent,
        sizes = [],
      } = findServer(state, params['id'], parseQuery(toolsSchema, query).server)
      const isOff = new Set(off.list().flatMap((each) => (each.identity === identity ? each.tool : [])))
      const known =
        state.servers.known(agent).findLast(identity)?.tools ?? sizes.map(({ tool }) => ({ name: tool }))
      const sizeOf = new Map(sizes.map((size) => [size.tool, size]))
      return { tools: known.map(({ name }) => ({ name, size: sizeOf.get(name), isOff: isOff.has(name) })) }
    },
    async 'POST /api/sessions/:id/tools'({ params, body }) {
      const { server, tool, isOff } = parseRequest(switchSchema, body)
      const { identity, off, cwd } = findServer(state, params['id'], server)
      await audit.run('switch-tool', { server, tool, isOff, cwd }, () => off.set({ identity, tool }, isOff))
    },
    async 'DELETE /api/sessions/:id'({ params }) {
      const { id, title } = find(state, params['id'])
      if (state.presence.isSessionOpen(id))
        throw requestError(
          409,
          'console.session_open',
          'This session is open in an editor. Close it there first.',
        )
      await audit.run('delete-session', { session: id, title }, () => state.sessions.delete(id))
    },
  })
}

function find(state: State, id = '') {
  const session = state.sessions.find(id)
  if (session === undefined) throw requestError(404, 'console.unknown_session', 'There is no such session.')
  return session
}

function findServer(state: State, sessionId = '', name: string) {
  const { cwd, agent } = find(state, sessionId)
  state.changes.look('presence')
  const server = state.presence
    .servers()
    .find((one) => one.sessionId === sessionId && one.owner === 'session' && one.name === name)
  if (server?.identity === undefined)
    throw requestError(404, 'console.unknown_server', 'This session has no such server open.')
  return { agent, cwd, identity: server.identity, sizes: server.sizes, off: state.servers.off(agent, cwd) }
}

function readPages(state: State, id: string, after?: EntryPlace, pagesMax = Infinity) {
  const pages = {
    last: after,
    async *read(): AsyncGenerator<readonly SessionEntry[], void> {
      for (let count = 0; count < pagesMax; count++) {
        const { entries, last } = state.sessions.entryPage(id, pages.last)
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
