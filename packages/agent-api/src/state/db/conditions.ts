import type { SQLInputValue } from 'node:sqlite'
import { OstlerError } from '../../base/errors.ts'

/** Ignored if one of the parameters is undefined. */
export type Condition = readonly [sql: string, ...values: readonly (SQLInputValue | undefined)[]]

export function toWhere(...conditions: readonly Condition[]): {
  readonly where: string
  readonly values: readonly SQLInputValue[]
} {
  const asked = conditions.filter(
    (condition): condition is readonly [string, ...SQLInputValue[]] => !condition.includes(undefined),
  )
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(([sql]) => sql).join(' AND ')}`,
    values: asked.flatMap(([, ...values]) => values),
  }
}

/** A list for `IN`. The texts are our own. */
export function toList(texts: readonly string[]): string {
  return `(${texts.map((text) => `'${text}'`).join(', ')})`
}

/** A range condition, which an index can answer. The upper bound ends in the highest code point. */
export function startsWith(column: string, prefix: string): readonly Condition[] {
  return [
    [`${column} >= ?`, prefix],
    [`${column} < ?`, `${prefix}\u{10ffff}`],
  ]
}

/** Normalizes a time to the stored form, in which text order is time order. */
export function toInstant(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new OstlerError(
      'history.bad_time',
      `'${text}' is not a valid time. Examples: 2026-01-31, 2026-01-31T12:00:00Z.`,
    )
  return time.toISOString()
}
