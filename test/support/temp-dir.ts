import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TempDir extends AsyncDisposable {
  readonly path: string
}

/** A folder for one test, by its real path (macOS returns a symlink). Removed on disposal. */
export async function openTempDir(prefix = 'ostler-test-'): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
