import type { JsonSchema } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

/** A part of a tool's schema that a model of a vendor does not see as the server wrote it. */
export interface SchemaLoss {
  /** Its place: `properties.city`. Empty for the root. */
  readonly path: string
  readonly keyword: string
  readonly change: 'dropped' | 'changed'
}

const lossesMax = 50
/**
 * Ignored keywords: definitions are expanded where they are used, the dialect is always the same, and extensions mean nothing to a model.
 */
const expected: ReadonlySet<string> = new Set(['$schema', '$id', '$defs', 'definitions', '$comment'])

/** Compares a schema with the form that a vendor receives. */
export function schemaLosses(original: JsonSchema, received: JsonSchema): SchemaLoss[] {
  const losses: SchemaLoss[] = []
  compare(original, received, '', losses)
  return losses
}

function compare(original: unknown, received: unknown, path: string, losses: SchemaLoss[]): void {
  if (!isRecord(original) || !isRecord(received) || '$ref' in original) return
  for (const [keyword, value] of Object.entries(original)) {
    if (losses.length >= lossesMax) return
    if (expected.has(keyword) || keyword.startsWith('x-')) continue
    const given = Object.hasOwn(received, keyword) ? received[keyword] : undefined
    if (given === undefined) losses.push({ path, keyword, change: 'dropped' })
    else compareValue(value, given, { path, keyword }, losses)
  }
}

function compareValue(
  value: unknown,
  given: unknown,
  at: Pick<SchemaLoss, 'path' | 'keyword'>,
  losses: SchemaLoss[],
): void {
  const inner = at.path === '' ? at.keyword : `${at.path}.${at.keyword}`
  if (isRecord(value) && isRecord(given)) return compare(value, given, inner, losses)
  if (
    Array.isArray(value) &&
    Array.isArray(given) &&
    value.length === given.length &&
    value.every(isRecord)
  ) {
    for (const [index, item] of value.entries()) compare(item, given[index], `${inner}.${index}`, losses)
    return
  }
  if (JSON.stringify(value) !== JSON.stringify(given)) losses.push({ ...at, change: 'changed' })
}
