import { OstlerError } from '../../base/errors.ts'
import { hashCanonical } from '../../policy/always-allow/definition-pin.ts'
import type { Definitions } from '../../policy/definition-key.ts'

/** A server as it is now. */
export interface LockedServer {
  /** The agent's own server (of its file, or stored), or one that an editor passes. */
  readonly owner: 'agent' | 'editor'
  readonly name: string
  /** The hash of its entry. */
  readonly entry: string
  readonly definitions: Definitions
}

/** Lines, each with a server, a part of it and the hash of that: `agent "files" tool:read 12ab…`. The part `entry` is how it is started. */
export type ServerLock = ReadonlySet<string>

/** The line that makes a text a lock. */
const format = 'ostler.lock 1'
const about = '# Made by `ostler mcp lock`, to be committed. Agents leave out what differs from it.\n'

/** 128 bits: nobody finds two definitions with the same hash. */
const hashCharsMax = 32
const pattern = /^(?:agent|editor) "(?:[^"\\]|\\.)*" (?:entry|instructions|(?:tool|prompt):.+) [\da-f]{32}$/

/** The same text for the same servers. */
export function toLockText(lock: ServerLock): string {
  return `${about}${format}\n\n${[...lock]
    .toSorted()
    .map((line) => `${line}\n`)
    .join('')}`
}

/** Throws `lock.invalid`. The message has no part of the text, which may be that of any file. */
export function parseServerLock(text: string): ServerLock {
  const lines = text.split(/\r?\n/)
  const isBlank = (line: string) => line === '' || line.startsWith('#')
  const begin = lines.findIndex((line) => !isBlank(line))
  if (lines[begin] !== format) throw new OstlerError('lock.invalid', `it does not begin with '${format}'`)
  const parts = new Set<string>()
  const own = lines.flatMap((line, index) => {
    if (index <= begin || isBlank(line)) return []
    const part = line.slice(0, -hashCharsMax)
    if (!pattern.test(line) || parts.has(part))
      throw new OstlerError(
        'lock.invalid',
        `line ${index + 1} is not one more part of a server with its hash`,
      )
    parts.add(part)
    return line
  })
  return new Set(own)
}

/** The beginning of all lines of a server. */
export function lockKeyOf({ owner, name }: Pick<LockedServer, 'owner' | 'name'>): string {
  return `${owner} ${JSON.stringify(name)} `
}

export function toServerLock(servers: readonly LockedServer[]): ServerLock {
  return new Set(servers.flatMap((server) => [...linesOf(server).values()]))
}

function linesOf(server: LockedServer): ReadonlyMap<string, string> {
  const { entry, definitions } = server
  const hashes = Object.entries(definitions).map(([part, own]) => [part, hashCanonical(own)] as const)
  return new Map(
    [['entry', entry] as const, ...hashes].map(([part, hash]) => [
      part,
      `${lockKeyOf(server)}${part} ${hash.slice(0, hashCharsMax)}`,
    ]),
  )
}

export function isLocked(lock: ServerLock, server: Pick<LockedServer, 'owner' | 'name'>): boolean {
  const key = lockKeyOf(server)
  return [...lock].some((line) => line.startsWith(key))
}

/**
 * The parts of a server that are not in the lock as they are now. `entry` stands for the whole server. An editor's server is only held to
 * what the lock says about it, because everybody's editor has others.
 */
export function partsNotLocked(lock: ServerLock, server: LockedServer): readonly string[] {
  if (server.owner === 'editor' && !isLocked(lock, server)) return []
  const parts = [...linesOf(server)].flatMap(([part, line]) => (lock.has(line) ? [] : part))
  return parts.includes('entry') ? ['entry'] : parts
}
