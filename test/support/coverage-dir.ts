import { join } from 'node:path'

/** Set if a run measures its coverage: the folder for what it counts. */
const folder = process.env['OSTLER_TEST_COVERAGE']

export const isCovered = folder !== undefined

/** The folder for the counts of one kind of tests. */
export function coverageDir(kind: 'unit' | 'integration'): string {
  if (folder === undefined) throw new Error('this run measures no coverage')
  return join(folder, kind)
}
