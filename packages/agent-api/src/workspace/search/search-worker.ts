import { parentPort, workerData } from 'node:worker_threads'
import { messageOf, OstlerError } from '../../base/errors.ts'
import { findInJavascript, searchInJavascript } from './search-in-javascript.ts'
import type { FindFound, FindJob, SearchFound, SearchJob } from './search-job.ts'

export type FromSearchWorker = { readonly found: SearchFound | FindFound } | { readonly problem: string }

parentPort?.postMessage(answer(workerData as SearchJob | FindJob), [])

function answer(job: SearchJob | FindJob): FromSearchWorker {
  try {
    return { found: job.type === 'search' ? searchInJavascript(job) : findInJavascript(job) }
  } catch (error) {
    return { problem: error instanceof OstlerError ? error.message : `The search failed: ${messageOf(error)}` }
  }
}
