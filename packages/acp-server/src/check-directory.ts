import { stat } from 'node:fs/promises'
import { invalidParams } from './invalid-params.ts'

/** Checks a session's directories. Otherwise a server started in a missing one would fail with an error about its program. */
export async function checkDirectories(session: {
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
}): Promise<void> {
  await checkDirectory(session.cwd, 'cwd')
  for (const [index, directory] of session.additionalDirectories.entries())
    await checkDirectory(directory, `additionalDirectories[${index}]`)
}

async function checkDirectory(path: string, field: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) throw invalidParams(field, 'must be an existing directory')
  if (!stats.isDirectory()) throw invalidParams(field, 'must be a directory')
}
