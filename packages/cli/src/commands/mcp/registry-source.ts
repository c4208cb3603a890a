import { text as readAll } from 'node:stream/consumers'
import { OstlerError } from '@ostler/agent-api'
import { messageOf, loadTextFile } from '@ostler/agent-api/internal'
import {
  fetchRegistryServer,
  officialRegistry,
  parseRegistry,
  searchRegistry,
  shortName,
  type RegistryServer,
} from '@ostler/workbench'
import { usageError } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { toPath } from '../../state/places.ts'

export interface WantedServer {
  readonly name: string | undefined
  /** A registry, a file, or `-` for standard input. The official registry if undefined. */
  readonly from: string | undefined
  readonly version: string | undefined
}

const documentFile = {
  bytesMax: 8 * 1024 * 1024,
  what: 'a server.json',
  code: 'registry.unreadable',
} as const
const shownNamesMax = 10

export const needsName = 'add-from-registry needs the name of a server, such as io.github.example/weather'

/** Reads the server that a person wants. */
export async function readRegistryServer(
  io: Io,
  { name, from = officialRegistry, version }: WantedServer,
  signal: AbortSignal,
): Promise<RegistryServer> {
  if (!/^[a-z][\w+.-]*:\/\//i.test(from)) {
    if (name !== undefined || version !== undefined)
      throw usageError('a server.json is one version of one server: name neither')
    return readDocument(io, from)
  }
  if (name === undefined) throw usageError(needsName)
  return askRegistry(from, name, version, signal)
}

async function askRegistry(
  base: string,
  name: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<RegistryServer> {
  const isFullName = name.includes('/')
  const found = isFullName ? await fetchRegistryServer(base, name, { signal, version }) : undefined
  if (found !== undefined) return found
  const near = await searchRegistry(base, shortName({ name }), { signal })
  const names = [...new Set(near.servers.map((server) => server.name))].slice(0, shownNamesMax)
  const { host } = new URL(base)
  if (names.includes(name)) throw unknown(`${host} has no version ${version ?? ''} of ${name}.`)
  const problem = isFullName ? `${host} has no server ${name}.` : `${name} is not the full name of a server.`
  throw unknown(
    names.length === 0 ? problem : `${problem} It has:\n${names.map((each) => `  ${each}`).join('\n')}`,
  )
}

async function readDocument(io: Io, from: string): Promise<RegistryServer> {
  const shown = from === '-' ? 'standard input' : from
  const text = from === '-' ? await readAll(io.stdin) : loadTextFile(toPath(io, from), documentFile)
  try {
    const { servers } = parseRegistry(JSON.parse(text.replace(/^\uFEFF/, '')))
    const [server] = servers
    if (server !== undefined && servers.length === 1) return server
    throw new OstlerError('registry.invalid', 'It is not the server.json of one server.')
  } catch (error) {
    const reason = error instanceof OstlerError ? messageOf(error) : 'It is not JSON.'
    throw new OstlerError('registry.invalid', `${shown} cannot be used. ${reason}`, { cause: error })
  }
}

function unknown(message: string): OstlerError {
  return new OstlerError('registry.unknown', message)
}
