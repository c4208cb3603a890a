import type { Stats } from 'node:fs'
import { OstlerError, toSystemReason } from '../../base/errors.ts'

/** A sentence for the model. `shown` is the path as the call named it. */
export function fileError(shown: string, verb: 'read' | 'written' | 'listed', error: unknown): OstlerError {
  if (error instanceof OstlerError) return error
  return new OstlerError('workspace.file', `${shown} cannot be ${verb}: ${toSystemReason(error)}.`, {
    cause: error,
  })
}

/** Undefined for a regular file. */
export function notAFile(shown: string, stats: Stats): OstlerError | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory())
    return new OstlerError(
      'workspace.directory',
      `${shown} is a directory. Use list_directory to see what is in it.`,
    )
  return new OstlerError(
    'workspace.special_file',
    `${shown} is ${specialKind(stats)}, not a file. It is not read or written.`,
  )
}

function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
