import { isAbsolute } from 'node:path'
import { fromAcpMcpServers, type RequestedServers } from './from-acp-mcp-servers.ts'
import { invalidParams } from './invalid-params.ts'
import { isRecord } from './wire/message.ts'

export interface NewSession extends RequestedServers {
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
}

/** Takes the place of the SDK's parser, which lets one malformed server fail the whole request. */
export function fromAcpNewSession(raw: unknown): NewSession {
  if (!isRecord(raw)) throw invalidParams('params', 'must be an object')
  return {
    cwd: readDirectory(raw['cwd'], 'cwd'),
    additionalDirectories: readDirectories(raw['additionalDirectories']),
    ...fromAcpMcpServers(raw['mcpServers']),
  }
}

function readDirectories(raw: unknown): readonly string[] {
  if (raw === null || raw === undefined) return []
  if (!Array.isArray(raw)) throw invalidParams('additionalDirectories', 'must be an array')
  return raw.map((entry: unknown, index) => readDirectory(entry, `additionalDirectories[${index}]`))
}

function readDirectory(raw: unknown, field: string): string {
  if (typeof raw !== 'string') throw invalidParams(field, 'must be a string')
  if (!isAbsolute(raw)) throw invalidParams(field, 'must be an absolute path')
  if (raw.includes('\0')) throw invalidParams(field, 'must not contain a NUL character')
  return raw
}
