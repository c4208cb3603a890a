import { OstlerError, type CallSummary, type History, type SessionSummary, type StoredCall } from '@ostler/agent-api'
import { toShown } from './format-table.ts'

const pageSize = 1_000
const namedMax = 5

/** The session whose ID begins like this. Throws when there is none, or more than one. */
export function findSessionByPrefix(history: History | undefined, prefix: string): SessionSummary {
  return history?.findSession(prefix) ?? theOnly(matching(sessions(history), prefix), 'session', prefix)
}

/** The call whose ID begins like this; what stands in front of every ID may be left out. */
export function findCallByPrefix(history: History | undefined, prefix: string): StoredCall {
  const whole = prefix.startsWith(callPrefix) ? prefix : `${callPrefix}${prefix}`
  const find = (id: string) => history?.findCall(id)
  const found = find(whole) ?? find(theOnly(matching(calls(history), whole), 'tool call', prefix).id)
  if (found === undefined) throw new OstlerError('history.unknown', `There is no tool call '${toShown(prefix)}'.`)
  return found
}

const callPrefix = 'call_'
const shownLength = 8

/** So much of an ID that one can tell it from the others, and type it. */
export function toShortId(id: string): string {
  return id.replace(callPrefix, '').slice(0, shownLength)
}

function matching<T extends { readonly id: string }>(all: Iterable<T>, prefix: string): T[] {
  const found: T[] = []
  for (const item of all) if (item.id.startsWith(prefix) && found.push(item) > namedMax) break
  return found
}

function theOnly<T extends { readonly id: string }>(found: readonly T[], what: string, prefix: string): T {
  const [first, ...others] = found
  if (first === undefined) throw new OstlerError('history.unknown', `There is no ${what} '${toShown(prefix)}'.`)
  if (others.length === 0) return first
  const named = found.slice(0, namedMax).map(({ id }) => id)
  const more = found.length > namedMax ? ', and more' : ''
  throw new OstlerError('history.ambiguous', `More than one ${what} begins with '${toShown(prefix)}': ${named.join(', ')}${more}.`)
}

function* sessions(history: History | undefined): Iterable<SessionSummary> {
  let after: SessionSummary | undefined
  for (;;) {
    const page = history?.listSessions({ limit: pageSize, ...(after && { after }) }) ?? []
    yield* page
    after = page.at(-1)
    if (page.length < pageSize) return
  }
}

function* calls(history: History | undefined): Iterable<CallSummary> {
  let before: number | undefined
  for (;;) {
    const page = history?.listCalls({ limit: pageSize, ...(before !== undefined && { before }) }) ?? []
    yield* page
    before = page.at(-1)?.seq
    if (page.length < pageSize) return
  }
}
