import { dirname, join, resolve } from 'node:path'
import { findHome } from './find-home.ts'
import { gitDirectoriesOf, textOf } from './git-directory.ts'
import { giveWay } from './in-slices.ts'
import { isInside } from './is-inside.ts'

/** The paths inside the working tree that its settings, or the person's, name as programs or as further settings. */
export async function namedBySettings(work: string): Promise<readonly string[]> {
  const directories = await gitDirectoriesOf(work)
  const home = findHome({})
  const files = [
    ...directories.flatMap((directory) => [join(directory, 'config'), join(directory, 'config.worktree')]),
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
