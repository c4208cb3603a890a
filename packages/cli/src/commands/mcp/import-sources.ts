import { existsSync, readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { OstlerError } from '@ostler/agent-api'
import { toSystemReason } from '@ostler/agent-api/internal'
import {
  addVariables,
  formatOfProgram,
  knownServerLists,
  parseServerList,
  type FoundServer,
  type ListedProgram,
  type ServerList,
  type ServerListFormat,
  type SkippedServer,
} from '@ostler/agent-api/manage'
import type { Io } from '../../io.ts'
import { toPath } from '../../state/places.ts'
import { homeOf } from '../../state/state-dir.ts'
import { toShown } from '../../terminal/format-table.ts'

/** Settings with their location. */
export interface ImportSource {
  readonly path: string
  readonly list: ServerList
}

const fileBytesMax = 4 * 1024 * 1024

/** Reads one named file; `-` is standard input. */
export async function readSource(io: Io, path: string, format: ServerListFormat | undefined): Promise<ImportSource> {
  if (path === '-') return { path: 'standard input', list: parse('standard input', await readAll(io.stdin), format) }
  const file = toPath(io, path)
  return { path: file, list: parse(file, readText(file), format ?? formatOfName(file), workspaceOf(file)) }
}

/** Only Codex has TOML, and only goose has YAML. */
function formatOfName(file: string): ServerListFormat | undefined {
  if (file.endsWith('.toml')) return 'codex'
  return /\.ya?ml$/.test(file) ? 'goose' : undefined
}

/** Reads all places in which a program may keep its servers. Throws if there are none. */
export function readProgram({ env }: Io, program: ListedProgram): readonly ImportSource[] {
  const places = knownServerLists(program, { platform: platform(), home: homeOf(env), env })
  const sources = places.filter((place) => existsSync(place)).flatMap((path) => readPlace(path, formatOfProgram(program)))
  if (sources.length > 0) return sources
  throw new OstlerError('import.nothing', `No servers of ${program} found. Searched:\n${places.map((place) => `  ${place}`).join('\n')}`)
}

/** Settings without servers are skipped silently. */
function readPlace(path: string, format: ServerListFormat | undefined): ImportSource[] {
  try {
    return [{ path, list: parse(path, readText(path), format) }]
  } catch (error) {
    if (error instanceof OstlerError && error.code === 'import.no_servers') return []
    throw error
  }
}

function parse(path: string, text: string, format: ServerListFormat | undefined, workspaceFolder?: string): ServerList {
  try {
    const list = parseServerList(text, { ...(format && { format }), ...(workspaceFolder !== undefined && { workspaceFolder }) })
    return withEnvFiles(list, workspaceFolder ?? dirname(path))
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    throw new OstlerError(error.code, `${toShown(path)} cannot be imported. ${error.message}`, { cause: error })
  }
}

function readText(file: string): string {
  try {
    if (statSync(file).size > fileBytesMax) throw new Error('it is too large for a settings file')
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OstlerError('import.unreadable', `${file} cannot be read: ${toSystemReason(error)}.`, { cause: error })
  }
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
    const variables = parseEnv(readText(file))
    return addVariables({ ...server, notes: [...server.notes, `${Object.keys(variables).length} variables are from ${file}`] }, variables)
  } catch (error) {
    return { ...server, notes: [...server.notes, `its envFile is skipped: ${toSystemReason(error)}`] }
  }
}
