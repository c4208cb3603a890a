import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { openDatabase } from '../db/database.ts'
import { processMark } from './process-mark.ts'
import { isBusy } from '../db/sqlite-error.ts'
import { createStatements, type Statements, toValid } from '../db/statements.ts'

/** An abnormal end of a process: an error, or a kill. */
export interface ProcessEnd {
  readonly at: string
  readonly reason: string
}

const endsMax = 100
const tries = 10
const retryMs = 50

const insert = 'INSERT INTO process_ends (at, process, reason) VALUES (?, ?, ?)'
const forgetOld = `DELETE FROM process_ends WHERE seq <= (SELECT max(seq) FROM process_ends) - ${endsMax}`
const selectLast = 'SELECT at, reason FROM process_ends ORDER BY seq DESC LIMIT 1'
const rowSchema = z.object({ at: z.string(), reason: z.string() })

/** Uses its own connection, because the process's open one may be what failed. Throws if it cannot write within half a second. */
export async function recordEnd(stateDir: string, reason: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return insertEnd(stateDir, reason)
    } catch (error) {
      if (!isBusy(error) || tried === tries) throw error
    }
    await delay(retryMs)
  }
}

function insertEnd(stateDir: string, reason: string): void {
  const { database } = openDatabase(stateDir)
  try {
    const statements = createStatements(database)
    statements.transaction(() => {
      statements.run(insert, new Date().toISOString(), processMark(), reason)
      statements.run(forgetOld)
    })
  } finally {
    database.close()
  }
}

export function readLastEnd(statements: Statements): ProcessEnd | undefined {
  return toValid(rowSchema, statements.all(selectLast))[0]
}
