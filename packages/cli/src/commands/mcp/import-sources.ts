import { platform } from 'node:os'
import { text as readAll } from 'node:stream/consumers'
import { OstlerError } from '@ostler/agent-api'
import { findHome } from '@ostler/agent-api/internal'
import {
  knownServerLists,
  loadProgramServers,
  loadServerFile,
  parseSource,
  type ImportSource,
  type ListedProgram,
  type ServerListFormat,
} from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { toPath } from '../../state/places.ts'

/** Reads one named file; `-` is standard input. */
export async function readSource(
  io: Io,
  path: string,
  format: ServerListFormat | undefined,
): Promise<ImportSource> {
  if (path === '-')
    return { path: 'standard input', list: parseSource('standard input', await readAll(io.stdin), format) }
  return loadServerFile(toPath(io, path), format)
}

/** Reads all places in which a program may keep its servers. Throws if they have no servers. */
export function readProgram({ env }: Io, program: ListedProgram): readonly ImportSource[] {
  const home = findHome(env)
  if (home === undefined)
    throw new OstlerError('import.no_home', 'Your home directory is not known. Set HOME, or name a file.')
  const at = { platform: platform(), home, env }
  const sources = loadProgramServers(program, at)
  if (sources.length > 0) return sources
  const places = knownServerLists(program, at).map((place) => `  ${place}`)
  throw new OstlerError(
    'import.nothing',
    `No servers found in the settings of ${program}. Searched:\n${places.join('\n')}`,
  )
}
