import type { TestProject } from 'vitest/node'

/** The test files of this run, after every filter of the command line. */
export async function wantedFiles({ vitest }: TestProject): Promise<readonly string[]> {
  const { filenamePattern } = vitest as { readonly filenamePattern?: string[] }
  const files = await vitest.globTestSpecifications(filenamePattern)
  return files.map(({ moduleId }) => moduleId)
}
