import type { SQLInputValue } from 'node:sqlite'

/** A condition and what its question marks stand for. One of which a value is undefined does not count. */
export type Condition = readonly [sql: string, ...values: readonly (SQLInputValue | undefined)[]]

export function toWhere(...conditions: readonly Condition[]): { readonly where: string; readonly values: readonly SQLInputValue[] } {
  const asked = conditions.filter((condition): condition is readonly [string, ...SQLInputValue[]] => !condition.includes(undefined))
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(([sql]) => sql).join(' AND ')}`,
    values: asked.flatMap(([, ...values]) => values),
  }
}

/** A range, which an index answers: the last character there is comes after all that may follow. */
export function startsWith(column: string, prefix: string): readonly Condition[] {
  return [
    [`${column} >= ?`, prefix],
    [`${column} < ?`, `${prefix}\u{10ffff}`],
  ]
}
