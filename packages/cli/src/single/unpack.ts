import fs from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../state/state-dir.ts'

/** The files of the command, as packed into the single executable. */
export interface Manifest {
  /** A hash of the content of all files, so that each version has its own folder. */
  readonly hash: string
  readonly files: readonly PackedFile[]
}

export interface PackedFile {
  /** Relative, with `/`. */
  readonly path: string
  readonly bytes: number
  readonly isProgram: boolean
}

/** Folders of versions that have not been started for this long are deleted. */
const unusedMsMax = 30 * 24 * 60 * 60 * 1000

/**
 * Returns the folder with the files of the command, below `parent`, and writes them if they are not there.
 * Throws if the folder is not this user's alone, because these files run as this user. `uid` is undefined
 * where files have no owner.
 */
export function unpack(
  { hash, files }: Manifest,
  read: (path: string) => Uint8Array,
  parent: string,
  uid: number | undefined,
): string {
  makeDirectory(parent)
  requirePrivate(parent, uid)
  const folder = path.join(parent, hash)
  if (!isWhole(folder, files)) {
    const fresh = fs.mkdtempSync(`${folder}.`)
    try {
      for (const file of files) write(fresh, file, read(file.path))
      replace(folder, fresh, files)
    } finally {
      fs.rmSync(fresh, { recursive: true, force: true })
    }
    deleteUnused(parent, hash)
  }
  requirePrivate(folder, uid)
  markUsed(folder)
  return folder
}

function requirePrivate(folder: string, ownUid: number | undefined): void {
  const { uid, mode } = fs.lstatSync(folder)
  if (!fs.lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`)
  if (ownUid === undefined) return
  if (uid !== ownUid) throw new Error(`${folder} belongs to another user`)
  if ((mode & 0o022) !== 0) throw new Error(`other users may write to ${folder}`)
}

/** A program that cleans up may have deleted or cut some files. */
function isWhole(folder: string, files: readonly PackedFile[]): boolean {
  return files.every((file) => {
    const found = fs.lstatSync(path.join(folder, file.path), { throwIfNoEntry: false })
    return found !== undefined && found.isFile() && found.size === file.bytes
  })
}

function write(folder: string, file: PackedFile, content: Uint8Array): void {
  const target = path.join(folder, file.path)
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  fs.writeFileSync(target, content, { mode: file.isProgram ? 0o700 : 0o600, flag: 'wx' })
}

/** Moves the new folder into place in one step. If another process was faster, its folder stays. */
function replace(folder: string, fresh: string, files: readonly PackedFile[]): void {
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) !== undefined && !isWhole(folder, files)) {
    const broken = `${fresh}.broken`
    fs.renameSync(folder, broken)
    fs.rmSync(broken, { recursive: true, force: true })
  }
  try {
    fs.renameSync(fresh, folder)
  } catch (error) {
    if (!isWhole(folder, files)) throw error
  }
}

function deleteUnused(parent: string, hash: string): void {
  const oldest = Date.now() - unusedMsMax
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name)
    const found = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (name !== hash && found !== undefined && found.mtimeMs < oldest)
      fs.rmSync(folder, { recursive: true, force: true })
  }
}

function markUsed(folder: string): void {
  try {
    const now = new Date()
    fs.utimesSync(folder, now, now)
  } catch {
    // A read-only disk also keeps the folder.
  }
}
