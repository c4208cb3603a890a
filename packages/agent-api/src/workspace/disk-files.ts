import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TextFiles } from './workspace.ts'

export function createDiskFiles(): TextFiles {
  return {
    readText: (path, signal) => readFile(path, { encoding: 'utf8', signal }),
    async writeText(path, text, signal) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { signal })
    },
  }
}
