import { chmod, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import { refused } from '../base/file-owner.ts'

const waitMsDefault = 60_000
const pauseMsMax = 20
const busy = 5

/**
 * A lock between processes: an exclusive transaction on an empty database. The system releases it if its holder dies. The file stays,
 * because another process may be about to lock it.
 */
export async function openFileLock(path: string, waitMs = waitMsDefault): Promise<Disposable> {
  const { DatabaseSync } = await import('node:sqlite')
  const deadline = performance.now() + waitMs
  // SQLite would wait for ever to open a pipe.
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) throw refused(path, 'is not a regular file')
  const lock = new DatabaseSync(path)
  try {
    await chmod(path, 0o600)
    for (;;) {
      try {
        lock.exec('BEGIN EXCLUSIVE')
        return { [Symbol.dispose]: () => lock.close() }
      } catch (error) {
        if (!(error instanceof Error) || !('errcode' in error) || error.errcode !== busy) throw error
      }
      if (performance.now() > deadline)
        throw new OstlerError(
          'secrets.busy',
          `Other processes keep ${path} locked. Close them, and try again.`,
        )
      await sleep(1 + Math.random() * pauseMsMax)
    }
  } catch (error) {
    lock.close()
    throw error
  }
}
