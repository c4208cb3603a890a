import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findHome } from '../base/find-home.ts'
import { gitDirectoryOf, resolveLocal } from '../base/git-directory.ts'
import { giveWay } from '../base/in-slices.ts'
import { isInside } from '../base/is-inside.ts'
import type { Sensitivity } from '../base/sensitive-path.ts'

const levelsMax = 64
const configBytesMax = 1024 * 1024

/**
 * Git's own files under any name. A folder that Git takes for a repository counts like `.git`: a bare repository, or the folder that a
 * `.git` file names. What the settings of the repository above run or include counts as a program. Reads, and runs nothing.
 */
export async function gitSensitivity(real: string): Promise<Sensitivity | undefined> {
  let work: string | undefined
  for (let at = real, level = 0; level < levelsMax; at = dirname(at), level++) {
    if (await isGitDirectory(at)) return 'secret'
    if (work === undefined && (await exists(join(at, '.git')))) work = at
    if (at === dirname(at)) break
  }
  if (work === undefined) return undefined
  const named = await namedBySettings(work)
  return named.some((path) => isInside(real, path)) ? 'program' : undefined
}

/** Decides as Git does. A linked working tree has the rest in its common directory. */
async function isGitDirectory(folder: string): Promise<boolean> {
  if (!(await exists(join(folder, 'HEAD')))) return false
  const [objects, refs, common] = await Promise.all(
    ['objects', 'refs', 'commondir'].map((name) => exists(join(folder, name))),
  )
  return common === true || (objects === true && refs === true)
}

/** The paths inside the working tree that its settings, or the person's, name as programs or as further settings. */
async function namedBySettings(work: string): Promise<readonly string[]> {
  const directory = await gitDirectoryOf(work)
  const common = directory && resolveLocal(directory, (await textOf(join(directory, 'commondir'))).trim())
  const home = findHome({})
  const files = [
    ...(directory === undefined ? [] : [join(directory, 'config'), join(directory, 'config.worktree')]),
    ...(common === undefined || common === directory ? [] : [join(common, 'config')]),
    ...(home === undefined ? [] : [join(home, '.gitconfig'), join(home, '.config/git/config')]),
  ]
  const named = await Promise.all(
    files.map(async (file) => pathsIn(await textOf(file), { work, file, home })),
  )
  return named.flat().filter((path) => path !== work && isInside(path, work))
}

interface ConfigPlace {
  readonly work: string
  readonly file: string
  readonly home?: string | undefined
}

/** Hooks and programs are relative to the working tree, and further settings to the file that includes them. */
export async function pathsIn(
  config: string,
  { work, file, home = '~' }: ConfigPlace,
): Promise<readonly string[]> {
  const paths: string[] = []
  for (const [, key = '', value = ''] of config.matchAll(settingLine)) {
    await giveWay()
    const path = value
      .replace(/\s[#;].*$/, '')
      .replaceAll('"', '')
      .trim()
      .replace(/^~(?=\/)/, () => home)
    if (path !== '') paths.push(resolve(key.toLowerCase() === 'path' ? dirname(file) : work, path))
  }
  return paths
}

/** Takes linear time: nothing in it matches the end of a line. */
const settingLine = /^[^\S\n]*(?:\[[^\]\n]*\][^\S\n]*)?(hookspath|fsmonitor|path)[^\S\n]*=[^\S\n]*(.*)$/gim

async function textOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // Reading a pipe may never end.
    return found.isFile() && found.size <= configBytesMax ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
