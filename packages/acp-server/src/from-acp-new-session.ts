import { isAbsolute, resolve } from 'node:path'
import { fromAcpMcpServers, type RequestedServers } from './from-acp-mcp-servers.ts'
import { invalidParams, readText } from './read-params.ts'
import { isRecord } from '@ostler/agent-api/internal'

export interface NewSession extends RequestedServers {
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
}

/** Replaces the SDK's parser, in which one malformed server fails the whole request. */
export function fromAcpNewSession(raw: unknown, editor?: string): NewSession {
  if (!isRecord(raw)) throw invalidParams('params', 'must be an object')
  return {
    cwd: readDirectory(raw['cwd'], 'cwd'),
    additionalDirectories: readDirectories(raw['additionalDirectories']),
    ...fromAcpMcpServers(raw['mcpServers'], editor),
  }
}

export interface StoredSession extends NewSession {
  readonly sessionId: string
}

/** Parses a request to continue a stored session. Its directories and servers replace those of the stored session. */
export function fromAcpStoredSession(raw: unknown, editor?: string): StoredSession {
  if (!isRecord(raw)) throw invalidParams('params', 'must be an object')
  return { sessionId: readText(raw, 'sessionId'), ...fromAcpNewSession(raw, editor) }
}

function readDirectories(raw: unknown): readonly string[] {
  if (raw === null || raw === undefined) return []
  if (!Array.isArray(raw)) throw invalidParams('additionalDirectories', 'must be an array')
  return raw.map((entry: unknown, index) => readDirectory(entry, `additionalDirectories[${index}]`))
}

/** Normalizes a directory, because sessions are looked up by it. */
export function readDirectory(raw: unknown, field: string): string {
  if (typeof raw !== 'string') throw invalidParams(field, 'must be a string')
  if (!isAbsolute(raw)) throw invalidParams(field, 'must be an absolute path')
  if (raw.includes('\0')) throw invalidParams(field, 'must not contain a NUL character')
  return resolve(raw)
}
