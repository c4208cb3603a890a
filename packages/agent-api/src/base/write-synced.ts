import { open } from 'node:fs/promises'

/** Writes a new file, by default for this user alone, and waits until the disk has it. Throws if the file exists. */
export async function writeSynced(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await using file = await open(path, 'wx', mode)
  await file.writeFile(content)
  await file.sync()
}

/** Makes new names in a directory durable. Windows and some file systems cannot do that, which is not an error. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => undefined)
}
