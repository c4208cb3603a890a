import { parentPort, workerData } from 'node:worker_threads'
import type { ExitWatchdogData } from './start-exit-watchdog.ts'
import { mayRest } from './work-flag.ts'
import { recordMsMax, watchForEnd, type EndWatch } from './watch-for-end.ts'

const { logFile, stateDir, work } = workerData as ExitWatchdogData

const watch = watchForEnd({
  input: 0,
  mayRest: () => mayRest(work),
  onOverdue: (message) => void endByForce(message),
})
parentPort?.on('message', (noted: keyof EndWatch) => watch[noted]())

/** The MCP servers are ended by their own watchdog. */
async function endByForce(message: string): Promise<void> {
  setTimeout(killNow, recordMsMax)
  try {
    const { reportEnd } = await import('./report-end.ts')
    await reportEnd({ message, errorOutput: 2, logFile, stateDir })
  } finally {
    // Also if the file is gone, because the command was updated or removed.
    killNow()
  }
}

function killNow(): void {
  process.kill(process.pid, 'SIGKILL')
}
