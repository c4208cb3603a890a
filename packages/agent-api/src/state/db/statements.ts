import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { z } from 'zod'
import { parseJsonOr } from '../../base/json.ts'

export type Row = Readonly<Record<string, unknown>>

/** Each statement is prepared once. */
export interface Statements {
  readonly database: DatabaseSync
  run(sql: string, ...values: readonly SQLInputValue[]): number
  /** Returns rows one by one, for callers that stop early. Rows must not be used after the query. */
  iterate(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row>
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined
  /** Runs the work atomically. A nested transaction is part of the outer one. */
  transaction<T>(work: () => T): T
}

export function createStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>()
  function prepare(sql: string): StatementSync {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  return {
    database,
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    iterate: (sql, ...values) => prepare(sql).iterate(...values),
    all: (sql, ...values) => prepare(sql).all(...values),
    get: (sql, ...values) => prepare(sql).get(...values),
    transaction(work) {
      if (database.isTransaction) return work()
      database.exec('BEGIN IMMEDIATE')
      try {
        const value = work()
        database.exec('COMMIT')
        return value
      } catch (error) {
        // An error such as a full disk may already have rolled it back.
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

/** Returns the valid rows. One row damaged by a bad disk must not hide the others. */
export function toValid<T>(
  schema: z.ZodType<T>,
  rows: readonly Row[],
  onLeftOut: (rows: number) => void = () => {},
): readonly T[] {
  const valid = rows.flatMap((row) => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
  if (valid.length < rows.length) onLeftOut(rows.length - valid.length)
  return valid
}

export function parseJson(text: string): unknown {
  return parseJsonOr(text, text)
}
