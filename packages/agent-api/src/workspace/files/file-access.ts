import { createPathQueue } from './path-queue.ts'
import type { TextFiles, Workspace } from '../workspace.ts'

/** The files of one session, as the file tools use them. */
export interface FileAccess {
  readonly roots: readonly string[]
  readonly files: TextFiles
  /** Runs one change of a file at a time, also across sessions. */
  readonly change: <T>(real: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

/** Shared by all sessions of this process. */
const queue = createPathQueue()

export function createFileAccess({ roots, files }: Workspace): FileAccess {
  return { roots, files, change: queue }
}
