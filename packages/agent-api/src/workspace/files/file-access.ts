import { createHash } from 'node:crypto'
import { OstlerError } from '../../base/errors.ts'
import type { CallPlan, ToolArguments } from '../../messages/tool.ts'
import type { WorkspacePath } from '../workspace-path.ts'
import type { TextFile, Workspace, WorkspaceFiles } from '../workspace.ts'
import { targetOf } from './file-tool.ts'
import { createPathQueue } from './path-queue.ts'
import { toLfText } from './text-lines.ts'

/** The files of one session, as the file tools use them. */
export interface FileAccess {
  readonly roots: readonly string[]
  readonly files: WorkspaceFiles
  /** Notes the version of a file that the session has now seen. */
  saw(path: WorkspacePath, file: TextFile): void
  /** Notes the version that a person was shown with a plan, unless the session has seen one. */
  planned(path: WorkspacePath, file: TextFile | undefined): void
  /**
   * Changes a file. Changes of one file run one at a time, also across sessions. Rejects if someone else has changed the file since the
   * session last saw it. `next` returns the new file, from the current one.
   */
  change(target: ChangeTarget, next: (before: TextFile | undefined, path: WorkspacePath) => TextFile): Promise<ChangedFile>
}

export interface ChangeTarget {
  readonly args: ToolArguments
  readonly plan: CallPlan | undefined
  readonly signal: AbortSignal
}

export interface ChangedFile {
  readonly path: WorkspacePath
  readonly before: TextFile | undefined
  /** The file as it was given to the editor or the disk. */
  readonly written: TextFile
  /** The file as it is now: an editor may have formatted it. */
  readonly after: TextFile
}

/** Called around a change, so that it can be taken back. */
export interface ChangeRecorder {
  /** Resolves once the old content is stored. */
  begin(path: WorkspacePath, before: TextFile | undefined): Promise<RecordedChange>
}

export interface RecordedChange {
  /** The change is done. Without this call, it did not happen. */
  done(after: TextFile): void
}

/** Shared by all sessions of this process. */
const queue = createPathQueue()

/** Number of files whose version is remembered. A forgotten version is not checked. */
const versionsMax = 10_000

export function createFileAccess({ roots, files }: Workspace, recorder?: ChangeRecorder): FileAccess {
  const seen = new Map<string, string>()

  function saw({ real }: WorkspacePath, file: TextFile | undefined): void {
    seen.delete(real)
    seen.set(real, versionOf(file))
    for (const oldest of seen.keys()) if (seen.size > versionsMax) seen.delete(oldest)
  }

  function checkVersion({ real, shown }: WorkspacePath, file: TextFile | undefined): void {
    const known = seen.get(real)
    if (known === undefined || known === versionOf(file)) return
    const reason = file === undefined ? 'It was deleted' : known === missingVersion ? 'It was created by someone else' : 'It has changed'
    throw new OstlerError('workspace.stale', `Nothing was written to ${shown}. ${reason} since you last read it: read it again first.`)
  }

  return {
    roots,
    files,
    saw,
    planned(path, file) {
      if (!seen.has(path.real)) saw(path, file)
    },
    async change({ args, plan, signal }, next) {
      const { real } = await targetOf(args, roots, plan)
      return queue(
        real,
        async () => {
          // A link may have changed while the call waited.
          const path = await targetOf(args, roots, { ...plan, target: real })
          const before = await files.loadToChange(path, signal)
          checkVersion(path, before)
          const written = next(before, path)
          signal.throwIfAborted()
          const recorded = await recorder?.begin(path, before)
          const after = await files.save(path, written, signal)
          recorded?.done(after)
          saw(path, after)
          return { path, before, written, after }
        },
        signal,
      )
    },
  }
}

const missingVersion = 'missing'

function versionOf(file: TextFile | undefined): string {
  return file === undefined ? missingVersion : createHash('sha1').update(toLfText(file.text).text).digest('base64')
}
