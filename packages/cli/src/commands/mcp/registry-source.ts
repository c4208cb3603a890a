import { text as readAll } from 'node:stream/consumers'
import { OstlerError } from '@ostler/agent-api'
import { messageOf, loadTextFile, suggest } from '@ostler/agent-api/internal'
import {
  fetchRegistryDocument,
  fetchRegistryServer,
  isRegistryBase,
  officialRegistry,
  parseRegistry,
  searchRegistry,
  shortName,
  type RegistryList,
  type RegistryServer,
} from '@ostler/workbench'
import { usageError } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { toPath } from '../../state/places.ts'

export interface WantedServer {
  readonly name: string | undefined
  /** A file, a URL, or `-` for standard input. The official registry if undefined. */
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

/** Reads the one server that a person wants. Throws if it is missing, or if there are several. */
export async function readRegistryServer(
  io: Io,
  wanted: WantedServer,
  signal: AbortSignal,
): Promise<RegistryServer> {
  const { name, from = officialRegistry, version } = wanted
  const isAddress = /^[a-z][\w+.-]*:\/\//i.test(from)
  if (isAddress && isRegistryBase(from)) {
    if (name === undefined) throw usageError(needsName)
    return askRegistry(from, name, version, signal)
  }
  const list = isAddress ? await fetchRegistryDocument(from, { signal }) : await readDocument(io, from)
  return pick(list, wanted)
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

async function readDocument(io: Io, from: string): Promise<RegistryList> {
  const shown = from === '-' ? 'standard input' : from
  const text = from === '-' ? await readAll(io.stdin) : loadTextFile(toPath(io, from), documentFile)
  try {
    return parseRegistry(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const reason = error instanceof OstlerError ? messageOf(error) : 'It is not JSON.'
    throw new OstlerError('registry.invalid', `${shown} cannot be used. ${reason}`, { cause: error })
  }
}

/** Finds the server in a document. A document with one server needs no name. */
function pick({ servers, skipped }: RegistryList, { name, version }: WantedServer): RegistryServer {
  const names = [...new Set(servers.map((server) => server.name))]
  const isWanted = (server: RegistryServer) =>
    name === undefined || server.name === name || shortName(server) === name
  const found = servers
    .filter(isWanted)
    .filter((server) => version === undefined || server.version === version)
  const [first] = found
  const different = new Set(found.map((server) => server.name))
  if (first === undefined) {
    const reason = skipped.find((each) => each.name !== '' && each.name === name)?.reason
    if (reason !== undefined) throw unknown(`${name ?? ''} cannot be used: ${reason}.`)
    const versions = servers.filter(isWanted).map((server) => server.version)
    if (versions.length > 0)
      throw unknown(`It has no version ${version ?? ''}; it has ${versions.join(', ')}.`)
    throw unknown(`It has no server ${name ?? ''}${suggest(name ?? '', names)}`.replace(/[^.?]$/, '$&.'))
  }
  if (different.size > 1)
    throw usageError(
      `there are ${different.size} servers in it; name one of ${[...different].slice(0, shownNamesMax).join(', ')}`,
    )
  const latest = found.find(({ isLatest }) => isLatest === true)
  if (found.length > 1 && latest === undefined)
    throw usageError(
      `there are several versions in it; choose with --version: ${found.map((each) => each.version).join(', ')}`,
    )
  return latest ?? first
}

function unknown(message: string): OstlerError {
  return new OstlerError('registry.unknown', message)
}
