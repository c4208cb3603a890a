import { Worker } from 'node:worker_threads'
import type { Logger } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { EndWatch } from './watch-for-end.ts'
import { createWorkFlag, setBusy, type WorkFlag } from './work-flag.ts'

export interface ExitWatchdogData {
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
  readonly work: WorkFlag
}

export interface ExitWatchdog {
  noteEnding(): void
  /** While the main thread is busy, the end of the editor is noticed within half a second. */
  setBusy(isBusy: boolean): void
}

export interface ExitWatchdogOptions extends Omit<ExitWatchdogData, 'work'> {
  readonly logger: Logger
}

/** The built command contains the worker as a separate bundle. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './exit-watchdog.js',
  import.meta.url,
)

const memoryLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * Kills the process if the editor has left, or a shutdown has begun, and the main thread does not end it in time. Has its own thread,
 * because a local tool may block the event loop forever.
 */
export function startExitWatchdog({ logFile, stateDir, logger }: ExitWatchdogOptions): ExitWatchdog {
  const work = createWorkFlag()
  const worker = new Worker(workerUrl, {
    workerData: { logFile, stateDir, work } satisfies ExitWatchdogData,
    // Inherit nothing: no preloaded modules, and no warnings on our stderr.
    execArgv: [],
    env: {},
    stderr: true,
    resourceLimits: memoryLimits,
  })
  worker.on('error', (error) =>
    logger.debug('the exit watchdog could not start', { error: messageOf(error) }),
  )
  worker.unref()
  const note = (what: keyof EndWatch) => worker.postMessage(what, [])
  return {
    noteEnding: () => note('noteEnding'),
    setBusy: (isBusy) => setBusy(work, isBusy) && note('noteWork'),
  }
}
