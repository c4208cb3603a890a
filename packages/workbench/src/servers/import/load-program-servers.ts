import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import { showHidden, loadTextFile } from '@ostler/agent-api/internal'
import { formatOfProgram, knownServerLists, type ListedProgram, type UserHome } from './known-server-lists.ts'
import { parseServerList } from './parse-server-list.ts'
import type { ServerList, ServerListFormat } from './server-list.ts'

export interface ImportSource {
  readonly path: string
  readonly list: ServerList
}

const settingsFile = {
  bytesMax: 4 * 1024 * 1024,
  what: 'a settings file',
  code: 'import.unreadable',
} as const

/** Empty if no place of the program exists. Throws `import.*` for settings that cannot be read. */
export function loadProgramServers(program: ListedProgram, at: UserHome): readonly ImportSource[] {
  return knownServerLists(program, at)
    .filter((place) => existsSync(place))
    .flatMap((path) => loadPlace(path, formatOfProgram(program)))
}

export function loadServerFile(file: string, format: ServerListFormat | undefined): ImportSource {
  return {
    path: file,
    list: parseSource(
      file,
      loadTextFile(file, settingsFile),
      format ?? formatOfName(file),
      workspaceOf(file),
    ),
  }
}

/** Errors name the path. */
export function parseSource(
  path: string,
  text: string,
  format: ServerListFormat | undefined,
  workspaceFolder?: string,
): ServerList {
  try {
    return parseServerList(text, { format, workspaceFolder })
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    throw new OstlerError(error.code, `${showHidden(path)} cannot be imported. ${error.message}`, {
      cause: error,
    })
  }
}

/** Settings without servers are skipped silently. */
function loadPlace(path: string, format: ServerListFormat | undefined): ImportSource[] {
  try {
    return [{ path, list: parseSource(path, loadTextFile(path, settingsFile), format) }]
  } catch (error) {
    if (error instanceof OstlerError && error.code === 'import.no_servers') return []
    throw error
  }
}

/** Only Codex has TOML, and only goose has YAML. */
function formatOfName(file: string): ServerListFormat | undefined {
  if (file.endsWith('.toml')) return 'codex'
  return /\.ya?ml$/.test(file) ? 'goose' : undefined
}

/** The project directory that contains the settings' directory. */
function workspaceOf(file: string): string | undefined {
  const folder = dirname(file)
  if (['.vscode', '.cursor', '.zed'].includes(basename(folder))) return dirname(folder)
  return basename(file) === '.mcp.json' ? folder : undefined
}
