import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isInside } from '../base/is-inside.ts'

export interface TextFile {
  readonly text: string
  readonly isCut: boolean
}

/** Undefined for a missing file, one that is not regular, not text or not readable, and for a link that leads out of `folders`. */
export async function readTextFile(
  path: string,
  folders: readonly string[],
  bytesMax: number,
): Promise<TextFile | undefined> {
  try {
    // Most files that are looked for do not exist, so this comes first.
    const real = await realpath(path)
    const realFolders = await Promise.all(folders.map((each) => realpath(each)))
    if (!realFolders.some((folder) => isInside(real, folder))) return undefined
    // Opening a pipe would wait for its other end.
    await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    if (!(await file.stat()).isFile()) return undefined
    const buffer = Buffer.alloc(bytesMax + 1)
    const { bytesRead } = await file.read(buffer, 0, bytesMax + 1, 0)
    const bytes = buffer.subarray(0, Math.min(bytesRead, bytesMax))
    if (bytes.includes(0)) return undefined
    const isCut = bytesRead > bytesMax
    // A truncated last character is dropped.
    return { text: new TextDecoder().decode(bytes, { stream: isCut }), isCut }
  } catch {
    return undefined
  }
}
