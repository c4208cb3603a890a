import { Worker } from 'node:worker_threads'
import { OstlerError } from '../../base/errors.ts'
import { onAbort } from '../../base/on-abort.ts'
import type { FindFound, FindJob, SearchFound, SearchJob } from './search-job.ts'
import type { FromSearchWorker } from './search-worker.ts'

/** The built command contains the worker as a separate bundle of the same name. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js', import.meta.url)

const memoryLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 }
/** The worker checks the time between lines. This limit is for a worker that is stuck in a line. */
const extraMs = 5_000

export function searchInThread(job: SearchJob, signal: AbortSignal): Promise<SearchFound>
export function searchInThread(job: FindJob, signal: AbortSignal): Promise<FindFound>
/** Searches without ripgrep, and without blocking the event loop. */
export async function searchInThread(job: SearchJob | FindJob, signal: AbortSignal): Promise<SearchFound | FindFound> {
  signal.throwIfAborted()
  const worker = new Worker(workerUrl, { workerData: job, execArgv: [], env: {}, stderr: true, resourceLimits: memoryLimits })
  const { promise, resolve, reject } = Promise.withResolvers<FromSearchWorker>()
  using _aborting = onAbort(signal, () => reject(signal.reason))
  const timer = setTimeout(() => reject(new OstlerError('search.too_slow', 'The search took too long. Narrow it.')), job.msMax + extraMs)
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', () => reject(new OstlerError('search.failed', 'The search ended without a result.')))
  try {
    const answer = await promise
    if ('found' in answer) return answer.found
    throw new OstlerError('search.failed', answer.problem)
  } finally {
    clearTimeout(timer)
    void worker.terminate()
  }
}
