import type { TextCleaner } from '../../base/clean-text.ts'
import { nextTurn } from '../../base/in-slices.ts'
import type { CallPlan, ToolArguments } from '../../messages/tool.ts'
import type { FileChanges } from '../../messages/file-change.ts'
import { toStoredForm } from '../disk/text-encoding.ts'
import type { WorkspaceBounds, WorkspacePath } from '../workspace-path.ts'
import type { TextFile, Workspace, WorkspaceFiles } from '../workspace.ts'
import { targetOf } from '../file-tool.ts'
import { createWorkspaceMemory, type WorkspaceMemory } from '../workspace-memory.ts'
import { refuseStale, saw } from './stale-file-version.ts'
import { createSlots, type Slots } from '../../base/slots.ts'

/** The files of one session, as the file tools use them. */
export interface FileAccess extends WorkspaceBounds {
  readonly files: WorkspaceFiles
  /** For texts of which only a part is shown. */
  readonly cleaner: TextCleaner
  /** Notes the version of a file that the session has now seen, or that there is no file. */
  saw(path: WorkspacePath, file: TextFile | undefined): void
  /**
   * The file that a call would change. Notes its version, unless the session has seen one: then rejects if someone else has changed the
   * file since, so that the person is not asked needlessly.
   */
  loadToPlan(path: WorkspacePath, signal: AbortSignal): Promise<TextFile | undefined>
  /** Runs other work on a file while no tool changes it. */
  exclusively<T>(real: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /**
   * Changes a file. Changes of one file run one at a time, also across sessions. Rejects if someone else has changed the file since the
   * session last saw it. `next` returns the new file, from the current one.
   */
  change(
    target: ChangeTarget,
    next: (before: TextFile | undefined, path: WorkspacePath) => TextFile | Promise<TextFile>,
  ): Promise<ChangedFile>
}

interface ChangeTarget {
  readonly args: ToolArguments
  readonly plan: CallPlan | undefined
  readonly signal: AbortSignal
}

interface ChangedFile {
  readonly path: WorkspacePath
  readonly before: TextFile | undefined
  /** As it was passed to the editor or the disk. */
  readonly written: TextFile
  /** As it is now: an editor may have formatted it. */
  readonly after: TextFile
}

/** Shared by all sessions of this process. */
const queue = createPathQueue()

export interface FileAccessOptions {
  readonly cleaner: TextCleaner
  /** Records the old texts of files, for `/undo`. */
  readonly changes?: FileChanges | undefined
  readonly memory?: Pick<WorkspaceMemory, 'fileVersions'>
}

export function createFileAccess(
  { roots, ownFiles, files }: Workspace,
  { cleaner, changes, memory = createWorkspaceMemory() }: FileAccessOptions,
): FileAccess {
  const bounds = { roots, ownFiles }
  return {
    ...bounds,
    files,
    cleaner,
    saw: (path, file) => void saw(memory, path, file),
    exclusively: queue,
    loadToPlan: (path, signal) =>
      // While a tool changes the file, its new version is not noted yet.
      queue(
        path.real,
        async () => {
          const file = await files.loadToChange(path, signal)
          refuseStale(memory, path, file)
          if (!memory.fileVersions.has(path.real)) saw(memory, path, file)
          return file
        },
        signal,
      ),
    async change({ args, plan, signal }, next) {
      const { real } = await targetOf(args, bounds, plan)
      return queue(
        real,
        async () => {
          // A link may have changed while the call waited.
          const path = await targetOf(args, bounds, { ...plan, target: real })
          const before = await files.loadToChange(path, signal)
          refuseStale(memory, path, before)
          await nextTurn()
          const written = await next(before, path)
          await nextTurn()
          signal.throwIfAborted()
          changes?.begin({
            path: real,
            before: before?.text ?? null,
            form: toStoredForm((before ?? written).form),
          })
          const after = await files.save(path, written, signal).catch((error: unknown) => {
            // After a cancellation, it is unknown whether the editor has written the file.
            if (!signal.aborted) changes?.drop(real)
            throw error
          })
          await nextTurn()
          const version = saw(memory, path, after)
          changes?.done(real, version)
          return { path, before, written, after }
        },
        signal,
      )
    },
  }
}

/** Runs the work on each path one at a time, in the order it was asked for. Work whose signal aborts while it waits never begins. */
type PathQueue = <T>(path: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>

function createPathQueue(): PathQueue {
  const queues = new Map<string, Slots>()
  return async (path, work, signal) => {
    const slots = queues.get(path) ?? createSlots({ activeMax: 1, of: 'this file' })
    queues.set(path, slots)
    try {
      return await slots.run(work, signal)
    } finally {
      if (slots.active === 0 && slots.waiting === 0) queues.delete(path)
    }
  }
}
