import { OstlerError } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

type Fields = Readonly<Record<string, unknown>>

/** `path` is the object's path in the request (`prompt[2].resource`). */
export function readFields(raw: unknown, path = 'params'): Fields {
  if (!isRecord(raw)) throw invalidParams(path, 'must be an object')
  return raw
}

/** Reads a required string. `path` is the path of the containing object. */
export function readText(fields: Fields, name: string, path = ''): string {
  const value = fields[name]
  if (typeof value !== 'string')
    throw invalidParams(`${path}${name}`, value === undefined ? 'is missing' : 'must be a string')
  return value
}

/** `field` is a path in the params (`mcpServers`, `prompt[2].data`). The message never contains the value. */
export function invalidParams(field: string, problem: string): OstlerError {
  return new OstlerError('acp.invalid_params', `Invalid params: ${field} ${problem}`, { data: { field } })
}
