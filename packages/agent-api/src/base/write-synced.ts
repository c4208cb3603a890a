import { open } from 'node:fs/promises'

/** Writes a new file for this user alone, and waits until the disk has it. Throws if the file exists. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
}
