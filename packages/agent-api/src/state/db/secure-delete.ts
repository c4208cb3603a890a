import { setTimeout as delay } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { Statements } from './statements.ts'

/** Deletes in one transaction, and overwrites deleted data in the file. Otherwise it would stay there until its space is reused. */
export function securelyDeleting<T>(statements: Statements, work: () => T): T {
  const { database } = statements
  database.exec('PRAGMA secure_delete = ON')
  try {
    return statements.transaction(work)
  } finally {
    if (database.isOpen) database.exec('PRAGMA secure_delete = OFF')
  }
}

const emptyLogTries = 8
const emptyLogEveryMs = 200

/** Deleted rows also remain in the write-ahead log until it is truncated. That is possible while no other process reads. */
export async function emptyLog({ tryChange }: Pick<Journal, 'tryChange'>): Promise<void> {
  for (let tries = 0; tries < emptyLogTries; tries++) {
    if (tryChange((statements) => statements.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy']) === 0) return
    await delay(emptyLogEveryMs, undefined, { ref: false })
  }
}
