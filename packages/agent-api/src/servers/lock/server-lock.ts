import { OstlerError } from '../../base/errors.ts'
import { hashDefinition, type Definitions } from '../../policy/definition-changes.ts'

/** A server as it is now. */
export interface LockedServer {
  /** The agent's own server (of its file, or stored), or one that an editor passes. */
  readonly owner: 'agent' | 'editor'
  readonly name: string
  /** The hash of its entry. */
  readonly entry: string
  readonly definitions: Definitions
}

/** The hashes of each server by its parts: `entry`, `instructions`, `tool:NAME`, `prompt:NAME`. A key is an owner and a name: `agent "files"`. */
export type ServerLock = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The line that makes a text a lock. */
const format = 'ostler.lock 1'
const about = '# Made by `ostler mcp lock`, to be committed. Agents leave out what differs from it.\n'

/** Enough for 128 bits: nobody finds two definitions with the same hash. */
const hashCharsMax = 32
const line = /^((?:agent|editor) "(?:[^"\\]|\\.)*") (entry|instructions|(?:tool|prompt):.+) ([\da-f]{32})$/

export function toServerLock(servers: readonly LockedServer[]): ServerLock {
  return new Map(servers.map((server) => [keyOf(server), partsOf(server)]))
}

/**
 * What the lock would be now. An editor's servers that it has but nobody has seen stay as they are, and others of an editor are not added.
 */
export function renewServerLock(before: ServerLock, servers: readonly LockedServer[]): ServerLock {
  const now = toServerLock(servers.filter((server) => server.owner === 'agent' || before.has(keyOf(server))))
  return new Map([...unseenIn(before, servers).map((key) => [key, partsIn(before, key)] as const), ...now])
}

/** The keys of editors' servers in the lock that are not among these servers. */
export function unseenIn(lock: ServerLock, servers: readonly LockedServer[]): string[] {
  const seen = new Set(servers.map(keyOf))
  return [...lock.keys()].filter((key) => key.startsWith('editor ') && !seen.has(key))
}

/** The same text for the same servers: one line for each part, in order. */
export function toLockText(lock: ServerLock): string {
  const lines = [...lock].flatMap(([key, parts]) =>
    [...parts].map(([part, hash]) => `${key} ${part} ${hash}\n`),
  )
  return `${about}${format}\n\n${lines.toSorted().join('')}`
}

/** Throws `lock.invalid`. The message has no part of the text, which may be that of any file. */
export function parseServerLock(text: string): ServerLock {
  const lock = new Map<string, Map<string, string>>()
  const [, ...lines] = ['', ...text.split(/\r?\n/)]
  const first = lines.findIndex((each) => !isEmpty(each))
  if (lines[first] !== format) throw invalid(first, `it is not '${format}'`)
  for (const [index, content] of lines.entries()) {
    if (index <= first || isEmpty(content)) continue
    const [, key = '', part = '', hash = ''] = line.exec(content) ?? []
    if (key === '') throw invalid(index, 'it is not a server, a part of it and a hash')
    const parts = lock.get(key) ?? new Map<string, string>()
    if (parts.has(part)) throw invalid(index, 'an earlier line has the same server and part')
    lock.set(key, parts.set(part, hash))
  }
  return lock
}

function isEmpty(content: string): boolean {
  return content === '' || content.startsWith('#')
}

function invalid(index: number, fault: string): OstlerError {
  return new OstlerError('lock.invalid', `line ${Math.max(0, index) + 1}: ${fault}`)
}

export interface LockDifference {
  /** `agent "files"` */
  readonly server: string
  readonly part: string
  readonly change: 'changed' | 'new' | 'gone'
}

export function lockDifferences(before: ServerLock, now: ServerLock): LockDifference[] {
  return unionOf(before, now).flatMap((server) => {
    const [old, fresh] = [partsIn(before, server), partsIn(now, server)]
    return unionOf(old, fresh).flatMap((part): LockDifference[] => {
      if (old.get(part) === fresh.get(part)) return []
      return [{ server, part, change: !old.has(part) ? 'new' : fresh.has(part) ? 'changed' : 'gone' }]
    })
  })
}

function unionOf(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].toSorted()
}

/**
 * The parts of a server that are not in the lock as they are now. `entry` stands for the whole server. An editor's server is only held to
 * what the lock says about it, because everybody's editor has others.
 */
export function partsNotLocked(lock: ServerLock, server: LockedServer): readonly string[] {
  const locked = lock.get(keyOf(server))
  if (locked === undefined && server.owner === 'editor') return []
  const now = partsOf(server)
  if (locked?.get('entry') !== now.get('entry')) return ['entry']
  return [...now].flatMap(([part, hash]) => (locked?.get(part) === hash ? [] : part))
}

function keyOf({ owner, name }: Pick<LockedServer, 'owner' | 'name'>): string {
  return `${owner} ${JSON.stringify(name)}`
}

function partsOf({ entry, definitions }: LockedServer): ReadonlyMap<string, string> {
  const hashes = Object.entries(definitions).map(([part, own]) => [part, hashDefinition(own)] as const)
  return new Map(
    [['entry', entry] as const, ...hashes].map(([part, hash]) => [part, hash.slice(0, hashCharsMax)]),
  )
}

function partsIn(lock: ServerLock, key: string): ReadonlyMap<string, string> {
  return lock.get(key) ?? new Map()
}
