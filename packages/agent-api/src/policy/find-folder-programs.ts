import { readFile, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { makeDirectory } from '../base/file-owner.ts'
import { showHidden } from '../base/strip-hidden.ts'
import type { StdioServerConfig } from '../mcp/server-config.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { importsFromFolder, launcherTraces, npxOptionsAt, type LauncherTrace } from './launcher-traces.ts'

const settingsBytesMax = 1024 * 1024

/**
 * The files of a folder that decide what a server's command runs there. A link is shown with its target. The home directory and those above
 * it are the person's own.
 */
export async function findFolderPrograms(
  config: StdioServerConfig,
  folder: string,
  home: string | undefined,
): Promise<readonly string[]> {
  const traces = [...launcherTraces(config), ...searchTraces(config)]
  if (traces.length === 0) return []
  const above = traces.filter(({ isAbove }) => isAbove)
  const looks = foldersUpTo(folder, home).flatMap((at, level) =>
    (level === 0 ? traces : above).map((trace) => look(at, trace)),
  )
  return [...new Set((await Promise.all(looks)).flat())]
}

/**
 * Keeps files that appear in the folder later from deciding what the command runs, as far as the launcher has
 * an option for that.
 */
export function withoutFolder(config: StdioServerConfig, emptyFolder: string | undefined): StdioServerConfig {
  const at = npxOptionsAt(config)
  const prefix =
    at === undefined || emptyFolder === undefined || !isMade(emptyFolder) ? [] : [`--prefix=${emptyFolder}`]
  return {
    ...config,
    args: config.args.toSpliced(at ?? 0, 0, ...prefix),
    env: importsFromFolder(config) ? { PYTHONSAFEPATH: '1', ...config.env } : config.env,
  }
}

/** A relative entry of PATH leads into the folder. */
function searchTraces({ command, env }: StdioServerConfig): readonly LauncherTrace[] {
  if (/[/\\]/.test(command)) return []
  const entries = (childEnvironment(env)['PATH'] ?? '').split(delimiter)
  return entries
    .filter((entry) => !isAbsolute(entry))
    .map((entry) => ({ path: join(entry, command), isFile: true }))
}

function foldersUpTo(folder: string, home: string | undefined): readonly string[] {
  const folders: string[] = []
  for (let at = resolve(folder); home === undefined || at !== resolve(home); at = dirname(at)) {
    folders.push(at)
    if (at === dirname(at)) break
  }
  return folders
}

/** A file that cannot be examined counts, because the launcher may read it. */
async function look(folder: string, { path, isFile, mention }: LauncherTrace): Promise<readonly string[]> {
  const file = join(folder, path)
  try {
    const found = await stat(file)
    if (isFile === true && !found.isFile()) return []
    const isLarge = found.size > settingsBytesMax
    if (mention !== undefined && found.isFile() && !isLarge && !mention.test(await readFile(file, 'utf8')))
      return []
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
  }
  const target = await realpath(file).catch(() => file)
  return [[...new Set([file, target])].map((each) => showHidden(each.replace(/\s/g, ' '))).join(' -> ')]
}

function isMade(folder: string): boolean {
  try {
    makeDirectory(folder)
    return true
  } catch {
    return false
  }
}
