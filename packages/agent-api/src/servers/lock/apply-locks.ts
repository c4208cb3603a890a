import { messageOf } from '../../base/errors.ts'
import { definitionsOf, type Lists } from '../../policy/definition-key.ts'
import { hashEntry } from '../../policy/hash-entry.ts'
import { loadLock } from './load-lock.ts'
import { partsNotLocked, type LockedServer, type ServerLock } from './server-lock.ts'

interface LoadedLock {
  readonly path: string
  /** The reason why it cannot be used: then it leaves out every server. */
  readonly lock: ServerLock | string
}

export type LoadedLocks = readonly LoadedLock[]

/** A lock need not exist. */
export function loadLocks(paths: Iterable<string>): LoadedLocks {
  return [...paths].flatMap((path): readonly LoadedLock[] => {
    try {
      const lock = loadLock(path)
      return lock === undefined ? [] : [{ path, lock }]
    } catch (error) {
      return [{ path, lock: messageOf(error) }]
    }
  })
}

export interface ServerAsWritten extends Pick<LockedServer, 'owner' | 'name'> {
  /** Its entry, or its configuration. */
  readonly written: object
}

/** The reason why a server is left out as a whole, if it is. */
export function refusalBy(locks: LoadedLocks, server: ServerAsWritten): string | undefined {
  for (const { path, lock } of locks) {
    if (typeof lock === 'string') return lock
    if (partsNotLocked(lock, toLocked(server)).length > 0)
      return `left out, because ${path} does not have it as it is started now. ${advice}`
  }
  return undefined
}

export interface LeftOut {
  readonly parts: ReadonlySet<string>
  readonly note: string
}

const advice = '`ostler mcp lock` writes the lock anew.'
const partsShownMax = 10

/** The parts that are left out of a server that is not refused, if there are any. */
export function leftOutBy(locks: LoadedLocks, server: ServerAsWritten, offer: Lists): LeftOut | undefined {
  const now = { ...toLocked(server), definitions: definitionsOf(offer) }
  const differing = locks.flatMap(({ path, lock }) => {
    const parts = typeof lock === 'string' ? [] : partsNotLocked(lock, now)
    return parts.length === 0 ? [] : { path, parts }
  })
  const [first] = differing
  if (first === undefined) return undefined
  const parts = new Set(differing.flatMap((each) => each.parts))
  const more = parts.size - partsShownMax
  const names = [...[...parts].slice(0, partsShownMax), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const note = `${server.name}: left out, because ${first.path} does not have it as it is now: ${names}. ${advice}`
  return { parts, note }
}

function toLocked({ owner, name, written }: ServerAsWritten): LockedServer {
  return { owner, name, entry: hashEntry(written), definitions: {} }
}
