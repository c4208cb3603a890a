import { rm } from 'node:fs/promises'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { FileChange } from '../../messages/file-change.ts'
import type { DiffOutput } from '../../messages/tool.ts'
import { fileError } from '../disk/file-error.ts'
import type { FileAccess } from '../files/file-access.ts'
import { toWholeDiff } from '../files/file-diff.ts'
import { missingVersion, versionOf } from '../files/stale-file-version.ts'
import type { TextFile } from '../workspace.ts'
import { resolvePath, type WorkspacePath } from '../workspace-path.ts'
import { fromStoredForm } from '../disk/text-encoding.ts'

/** The outcome for a file. `isOver`: nothing more is to be done about it. */
export interface UndoneChange {
  readonly path: string
  readonly isOver: boolean
  /** Continues a sentence that begins with the name of the file. */
  readonly outcome: string
  readonly shown: string
}

export interface UndoPorts {
  readonly access: FileAccess
  /** Restores a file with `work` if that is allowed. A file that has changed since comes with the change. */
  readonly perform: (
    path: WorkspacePath,
    diff: DiffOutput | undefined,
    work: () => Promise<Restored>,
  ) => Promise<Restored>
  readonly signal: AbortSignal
}

export type Restored = Pick<UndoneChange, 'isOver' | 'outcome'>

/** Restores the old texts of files. Asks before it restores a file that has changed since. */
export async function undoChanges(
  changes: readonly FileChange[],
  ports: UndoPorts,
): Promise<readonly UndoneChange[]> {
  const undone: UndoneChange[] = []
  for (const change of changes) {
    if (ports.signal.aborted) break
    undone.push(await undoChange(change, ports))
  }
  return undone
}

async function undoChange(change: FileChange, ports: UndoPorts): Promise<UndoneChange> {
  let shown = change.path
  try {
    const path = await resolvePath(change.path, ports.access)
    shown = path.shown
    // The recorded path had no links. If it now leads to another place, another file is there.
    if (path.real !== change.path)
      return {
        path: change.path,
        shown,
        isOver: true,
        outcome: 'not restored: it is now a link to another file',
      }
    return {
      path: change.path,
      shown,
      ...(await ports.access.exclusively(path.real, () => restore(path, change, ports), ports.signal)),
    }
  } catch (error) {
    const reason = error instanceof OstlerError ? error.message : messageOf(error)
    return { path: change.path, shown, isOver: false, outcome: `not restored: ${reason}` }
  }
}

async function restore(path: WorkspacePath, change: FileChange, ports: UndoPorts): Promise<Restored> {
  const { access, signal } = ports
  const before: TextFile | undefined =
    change.before === null ? undefined : { text: change.before, form: fromStoredForm(change.form) }
  const current = await access.files.loadToChange(path, signal)
  const version = versionOf(current)
  // A version does not cover mixed line endings, which the change may have been about.
  const isAsLeft = version === change.after && current?.text !== before?.text
  if (version === versionOf(before) && !isAsLeft) return { isOver: true, outcome: 'already as it was' }
  const diff =
    version === change.after
      ? undefined
      : toWholeDiff(path.path, { before: current?.text, now: before?.text }, access.cleaner)
  return ports.perform(path, diff, async () => {
    // The question and the row in the history take time.
    if (versionOf(await access.files.loadToChange(path, signal)) !== version)
      return { isOver: false, outcome: 'left as it is: it changed again in the meantime' }
    return write(path, before, version, ports)
  })
}

async function write(
  path: WorkspacePath,
  before: TextFile | undefined,
  version: string,
  { access, signal }: UndoPorts,
): Promise<Restored> {
  signal.throwIfAborted()
  if (before !== undefined) {
    await access.files.save(path, before, signal)
    return {
      isOver: true,
      outcome: version === missingVersion ? 'restored; it had been deleted' : 'restored',
    }
  }
  try {
    await rm(path.real)
  } catch (error) {
    throw fileError(path.shown, 'written', error)
  }
  return { isOver: true, outcome: 'deleted; it was new' }
}
