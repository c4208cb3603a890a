import { rm } from 'node:fs/promises'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { FileChange } from '../../messages/file-change.ts'
import type { DiffOutput } from '../../messages/tool.ts'
import { fileError } from '../disk/file-error.ts'
import type { FileAccess } from '../files/file-access.ts'
import { toWholeDiff } from '../files/file-diff.ts'
import { missingVersion, versionOf } from '../files/file-version.ts'
import type { TextFile } from '../workspace.ts'
import { resolvePath, type WorkspacePath } from '../workspace-path.ts'
import { fromStoredForm } from '../disk/stored-form.ts'

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
  /** Asks whether a file that has changed since may be restored. Undefined without an answer. */
  readonly mayRestore: (path: WorkspacePath, diff: DiffOutput) => Promise<boolean | undefined>
  readonly signal: AbortSignal
}

/** Restores the old texts of files. Asks before it restores a file that has changed since. */
export async function undoChanges(changes: readonly FileChange[], ports: UndoPorts): Promise<readonly UndoneChange[]> {
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
      return { path: change.path, shown, isOver: true, outcome: 'not restored: it is now a link to another file' }
    return { path: change.path, shown, ...(await ports.access.exclusively(path.real, () => restore(path, change, ports), ports.signal)) }
  } catch (error) {
    const reason = error instanceof OstlerError ? error.message : messageOf(error)
    return { path: change.path, shown, isOver: false, outcome: `not restored: ${reason}` }
  }
}

async function restore(path: WorkspacePath, change: FileChange, ports: UndoPorts): Promise<Pick<UndoneChange, 'isOver' | 'outcome'>> {
  const { access, signal, mayRestore } = ports
  const before: TextFile | undefined = change.before === null ? undefined : { text: change.before, form: fromStoredForm(change.form) }
  const current = await access.files.loadToChange(path, signal)
  const version = await versionOf(current)
  // A version does not cover mixed line endings, which the change may have been about.
  const isAsLeft = version === change.after && current?.text !== before?.text
  if (version === (await versionOf(before)) && !isAsLeft) return { isOver: true, outcome: 'already as it was' }
  if (version !== change.after) {
    const answer = await mayRestore(path, await toWholeDiff(path.path, { before: current?.text, now: before?.text }, access.cleaner))
    if (answer === undefined) return { isOver: false, outcome: 'left as it is: it has changed since, and the question was not answered' }
    if (!answer) return { isOver: true, outcome: 'left as it is: it has changed since, and you kept the change' }
    // The person may have taken a while to answer.
    if ((await versionOf(await access.files.loadToChange(path, signal))) !== version)
      return { isOver: false, outcome: 'left as it is: it changed again in the meantime' }
  }
  signal.throwIfAborted()
  if (before !== undefined) {
    await access.files.save(path, before, signal)
    return { isOver: true, outcome: version === missingVersion ? 'restored; it had been deleted' : 'restored' }
  }
  try {
    await rm(path.real)
  } catch (error) {
    throw fileError(path.shown, 'written', error)
  }
  return { isOver: true, outcome: 'deleted; it was new' }
}
