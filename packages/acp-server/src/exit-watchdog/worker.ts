import { parentPort, workerData } from 'node:worker_threads'
import type { ExitWatchdogData } from './start-exit-watchdog.ts'
import { recordMsMax, watchForEnd } from './watch-for-end.ts'

const { logFile, stateDir } = workerData as ExitWatchdogData

const { noteEnding } = watchForEnd({ input: 0, onOverdue: (message) => void endByForce(message) })
parentPort?.on('message', noteEnding)

/** The MCP servers are ended by their own watchdog. */
async function endByForce(message: string): Promise<void> {
  setTimeout(killNow, recordMsMax)
  const { reportEnd } = await import('./report-end.ts')
  await reportEnd({ message, errorOutput: 2, logFile, stateDir })
  killNow()
}

function killNow(): void {
  process.kill(process.pid, 'SIGKILL')
}
