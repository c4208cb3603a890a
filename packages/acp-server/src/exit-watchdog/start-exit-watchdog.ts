import { Worker } from 'node:worker_threads'
import { messageOf, type Logger } from '@ostler/agent-api'

export interface ExitWatchdogData {
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
}

export type FromWatchdog = 'output_gone'

export interface ExitWatchdog {
  /** The main thread has begun to end the process. */
  noteEnding(): void
}

export interface ExitWatchdogOptions extends ExitWatchdogData {
  /** The editor has closed our output. Without a word to write, only the watchdog notices. */
  readonly onOutputGone: () => void
  readonly logger: Logger
}

/** The built command has the worker in a bundle of its own. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './exit-watchdog.js', import.meta.url)

const memoryLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * Ends the process by force when the editor has left or a signal came, and the main thread does not end it in time: a tool in this process
 * may never come back to the event loop, which would then not even notice. Watches from a thread of its own.
 */
export function startExitWatchdog({ logFile, stateDir, onOutputGone, logger }: ExitWatchdogOptions): ExitWatchdog {
  const worker = new Worker(workerUrl, {
    workerData: { logFile, stateDir } satisfies ExitWatchdogData,
    // Nothing of what this process was started with: no preloaded modules, no warnings on our stderr.
    execArgv: [],
    env: {},
    stderr: true,
    resourceLimits: memoryLimits,
  })
  worker.on('error', (error) => logger.debug('there is no watchdog for the end of the process', { error: messageOf(error) }))
  worker.on('message', () => onOutputGone())
  worker.unref()
  return { noteEnding: () => worker.postMessage('ending', []) }
}
