import { stat } from 'node:fs/promises'
import { invalidParams } from './invalid-params.ts'

/** A server that starts in a directory that is not there fails with an error that names its program instead. */
export async function checkDirectory(path: string, field: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) throw invalidParams(field, 'must be a directory that exists')
  if (!stats.isDirectory()) throw invalidParams(field, 'must be a directory')
}
