import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { RetentionOptions } from './retention.ts'

const firstSweepMs = 10_000
const sweepMs = 60 * 60 * 1_000
/** In-memory data is small and changes quickly. */
const memorySweepMs = 60_000

interface RunningRetention extends Disposable {
  /** Does not wait for the next sweep. */
  freeSpace(): void
}

/** The code that deletes is loaded when it is first needed. */
export function startRetention(options: RetentionOptions, logger: Logger): RunningRetention {
  const controller = new AbortController()
  const { signal } = controller
  void run().catch(failed)
  return {
    freeSpace: () =>
      void import('./retention.ts').then(({ freeSpace }) => freeSpace(options.journal, signal)).catch(failed),
    [Symbol.dispose]: () => controller.abort(),
  }

  async function run(): Promise<void> {
    for (let waitMs = firstSweepMs; ; waitMs = options.isInMemory() ? memorySweepMs : sweepMs) {
      await delay(waitMs, undefined, { signal, ref: false })
      const { sweep } = await import('./retention.ts')
      await sweep(options, signal)
    }
  }

  /** After an update, the code may be gone. The next process deletes what is old. */
  function failed(error: unknown): void {
    if (!signal.aborted) logger.warn('old data cannot be deleted', { error: messageOf(error) })
  }
}
