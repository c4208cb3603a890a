import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { searchInThread } from './search-in-thread.ts'
import type { FindFound, FindJob, SearchFound, SearchJob } from './search-job.ts'

export interface Searcher {
  search(job: SearchJob, signal: AbortSignal): Promise<SearchFound>
  find(job: FindJob, signal: AbortSignal): Promise<FindFound>
}

let program: Promise<string | undefined> | undefined

/** Searches with ripgrep if it is installed for this platform, otherwise in JavaScript. */
export async function loadSearcher(): Promise<Searcher> {
  program ??= findRipgrep()
  const found = await program
  if (found === undefined) return javascriptSearcher
  const { findWithRipgrep, searchWithRipgrep } = await import('./ripgrep.ts')
  return {
    search: (job, signal) => searchWithRipgrep(found, job, signal),
    find: (job, signal) => findWithRipgrep(found, job, signal),
  }
}

export const javascriptSearcher: Searcher = { search: searchInThread, find: searchInThread }

/** Resolved at run time, because the package is optional and the built command does not contain it. */
async function findRipgrep(): Promise<string | undefined> {
  try {
    const module = createRequire(import.meta.url).resolve('@vscode/ripgrep')
    const { rgPath } = (await import(pathToFileURL(module).href)) as { readonly rgPath: string }
    return rgPath
  } catch {
    return undefined
  }
}
