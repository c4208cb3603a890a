import { hash } from 'node:crypto'
import { OstlerError } from '../../base/errors.ts'
import type { WorkspaceMemory } from '../workspace-memory.ts'
import type { WorkspacePath } from '../workspace-path.ts'
import type { TextFile } from '../workspace.ts'
import { endingsOf, toLf } from './text-lines.ts'

export const missingVersion = 'missing'

/**
 * Identifies the text of a file. Only the kind of line endings on the disk counts, because editors report
 * them differently.
 */
export function versionOf(file: Omit<TextFile, 'form'> | undefined): string {
  if (file === undefined) return missingVersion
  return `${file.endings ?? endingsOf(file.text)} ${hash('sha1', toLf(file.text), 'base64')}`
}

/** Number of files whose version is remembered. A forgotten version is not checked. */
const versionsMax = 1_000

type SeenVersions = Pick<WorkspaceMemory, 'fileVersions'>

export function saw(memory: SeenVersions, { real }: WorkspacePath, file: TextFile | undefined): string {
  const version = versionOf(file)
  const others = [...memory.fileVersions].filter(([path]) => path !== real)
  memory.fileVersions = new Map([...others.slice(1 - versionsMax), [real, version]])
  return version
}

/** Throws `workspace.stale` if someone else has changed the file since the session last saw it. */
export function refuseStale(
  { fileVersions }: SeenVersions,
  { real, shown }: WorkspacePath,
  file: TextFile | undefined,
): void {
  const known = fileVersions.get(real)
  if (known === undefined || known === versionOf(file)) return
  const reason =
    file === undefined
      ? 'It was deleted'
      : known === missingVersion
        ? 'It was created by someone else'
        : 'It has changed'
  throw new OstlerError(
    'workspace.stale',
    `Nothing was written to ${shown}. ${reason} since you last read it: read it again first.`,
  )
}
