import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { OstlerError } from '@ostler/agent-api'
import { showHidden, toSystemReason, loadTextFile } from '@ostler/agent-api/internal'
import { addVariables } from './found-server.ts'
import { formatOfProgram, knownServerLists, type ListedProgram, type UserHome } from './known-server-lists.ts'
import { parseServerList } from './parse-server-list.ts'
import type { FoundServer, ServerList, ServerListFormat, SkippedServer } from './server-list.ts'

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

/** Also reads the files with variables that the settings name. Errors name the path. */
export function parseSource(
  path: string,
  text: string,
  format: ServerListFormat | undefined,
  workspaceFolder?: string,
): ServerList {
  try {
    const list = parseServerList(text, {
      format,
      workspaceFolder,
    })
    return withEnvFiles(list, workspaceFolder ?? dirname(path))
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

function withEnvFiles(list: ServerList, folder: string): ServerList {
  const read = list.servers.map((server) => withEnvFile(server, folder))
  return {
    ...list,
    servers: read.filter((server): server is FoundServer => 'entry' in server),
    skipped: [...list.skipped, ...read.filter((server): server is SkippedServer => 'reason' in server)],
  }
}

function withEnvFile(server: FoundServer, folder: string): FoundServer | SkippedServer {
  if (server.envFile === undefined) return server
  const file = resolve(folder, server.envFile)
  try {
    const variables = parseEnv(loadTextFile(file, settingsFile))
    return addVariables(
      { ...server, notes: [...server.notes, `${Object.keys(variables).length} variables are from ${file}`] },
      variables,
    )
  } catch (error) {
    return { ...server, notes: [...server.notes, `its envFile is skipped: ${toSystemReason(error)}`] }
  }
}
