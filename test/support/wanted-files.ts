import type { TestProject } from 'vitest/node'

/** The test files of this run, after all command-line filters. */
export async function wantedFiles({ vitest }: TestProject): Promise<readonly string[]> {
  const { filenamePattern } = vitest as { readonly filenamePattern?: string[] }
  const files = await vitest.globTestSpecifications(filenamePattern)
  return files.map(({ moduleId }) => moduleId)
}
