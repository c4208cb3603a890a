import { invalidParams } from './invalid-params.ts'
import { isRecord } from '@ostler/agent-api'

type Fields = Readonly<Record<string, unknown>>

/** `path` is where the object stands in the request (`prompt[2].resource`). */
export function readFields(raw: unknown, path = 'params'): Fields {
  if (!isRecord(raw)) throw invalidParams(path, 'must be an object')
  return raw
}

/** A required string. `path` is the one of the object that should have it. */
export function readText(fields: Fields, name: string, path = ''): string {
  const value = fields[name]
  if (typeof value !== 'string') throw invalidParams(`${path}${name}`, value === undefined ? 'is missing' : 'must be a string')
  return value
}
