import { OstlerError } from '@ostler/agent-api'
import { defined, isRecord, isLoopback, toTransport } from '@ostler/agent-api/internal'
import { linkOf, listOf, refusal, textOf, type Fields } from './read-fields.ts'
import { readPackage, type Way } from './read-package.ts'
import type {
  RefusedWay,
  RegistryList,
  RegistryServer,
  RegistryWay,
  SkippedEntry,
  Template,
} from './registry-server.ts'
import { readPairs, readTemplate, type Inputs } from './read-inputs.ts'

const serverName = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?\/[a-z\d](?:[\w.-]*[a-z\d])?$/i
const nameCharsMax = 200
const serversMax = 1_000
const officialKey = 'io.modelcontextprotocol.registry/official'

/**
 * Reads a `server.json`, or an answer of the API of a registry: one server, or a list of them. Throws `registry.invalid` for anything else.
 * An entry that cannot be read is skipped; a package or address that Ostler cannot use is refused within its server.
 */
export function parseRegistry(data: unknown): RegistryList {
  if (!isRecord(data)) throw invalid('It is not an object.')
  const { servers: list } = data
  if (list === undefined) {
    const read = readServer(data)
    if ('reason' in read) throw invalid(`It is not a server.json: ${read.reason}.`)
    return { servers: [read], skipped: [] }
  }
  if (!Array.isArray(list)) throw invalid('Its "servers" are not a list.')
  if (list.length > serversMax) throw invalid(`It lists more than ${serversMax} servers.`)
  const servers: RegistryServer[] = []
  const skipped: SkippedEntry[] = []
  for (const each of list) {
    const read = readServer(each)
    if ('reason' in read) skipped.push(read)
    else servers.push(read)
  }
  return { servers, skipped }
}

function readServer(entry: unknown): RegistryServer | SkippedEntry {
  if (!isRecord(entry)) return { name: '', reason: 'it is not an object' }
  const fields = isRecord(entry['server']) ? entry['server'] : entry
  const name = fields['name']
  if (typeof name !== 'string' || name.length > nameCharsMax || !serverName.test(name))
    return { name: textOf(name) ?? '', reason: 'its "name" is not of the form io.example/server' }
  const version = textOf(fields['version'])
  if (version === undefined) return { name, reason: 'it has no "version"' }
  const packages = listOf(fields['packages'])
  const remotes = listOf(fields['remotes'])
  if (packages === undefined || remotes === undefined)
    return {
      name,
      reason: `its "${packages === undefined ? 'packages' : 'remotes'}" are not a list of objects`,
    }
  const official = officialOf(entry, fields)
  const status = official['status'] ?? fields['status']
  return {
    name,
    version,
    description: textOf(fields['description']) ?? '',
    status: status === 'deprecated' || status === 'deleted' ? status : 'active',
    ...defined({
      title: textOf(fields['title']),
      websiteUrl: linkOf(fields['websiteUrl']),
      repositoryUrl: linkOf(isRecord(fields['repository']) ? fields['repository']['url'] : undefined),
      statusMessage: textOf(official['statusMessage']),
    }),
    ...readWays(packages, remotes),
  }
}

function officialOf(entry: Fields, fields: Fields): Fields {
  for (const meta of [entry['_meta'], fields['_meta']]) {
    const official = isRecord(meta) ? meta[officialKey] : undefined
    if (isRecord(official)) return official
  }
  return {}
}

/** A remote server comes first, because it starts nothing on this machine; the old SSE transport comes last. */
function readWays(
  packages: readonly Fields[],
  remotes: readonly Fields[],
): { ways: RegistryWay[]; refused: RefusedWay[] } {
  const refused: RefusedWay[] = []
  const found: { readonly kind: string; readonly way: Way }[] = []
  const add = (kind: unknown, label: unknown, read: () => Way) => {
    const shown = textOf(kind) ?? ''
    try {
      const way = read()
      found.push({ kind: way.launch.type === 'stdio' ? shown : way.launch.type, way })
    } catch (error) {
      if (!(error instanceof OstlerError)) throw error
      refused.push({ label: `${shown} ${textOf(label) ?? ''}`.trim(), reason: error.message })
    }
  }
  for (const each of remotes) add(each['type'], each['url'], () => readRemote(each))
  for (const each of packages) add(each['registryType'], each['identifier'], () => readPackage(each))
  const rank = (kind: string) => (kind === 'http' ? 0 : kind === 'sse' ? 2 : 1)
  const sorted = found.toSorted((a, b) => rank(a.kind) - rank(b.kind))
  const ways = sorted.map(({ kind, way }, index): RegistryWay => {
    const count = sorted.slice(0, index).filter((each) => each.kind === kind).length
    return { id: count === 0 ? kind : `${kind}-${count + 1}`, ...way }
  })
  return { ways, refused }
}

function invalid(message: string): OstlerError {
  return new OstlerError('registry.invalid', message)
}

function readRemote(fields: Fields): Way {
  const { type: stated, url: address } = fields
  const type = toTransport(stated)
  if (type === undefined || type === 'stdio')
    throw refusal(`its transport ${textOf(stated) ?? ''} is not supported`)
  if (typeof address !== 'string') throw refusal('it has no URL')
  const inputs: Inputs = new Map()
  // All variables of an address are required.
  const needed = { ...fields, isRequired: true }
  const url = readTemplate(address, needed, { id: 'url', label: 'url' }, inputs)
  checkUrl(url)
  const headers = readPairs(fields['headers'], 'header', inputs)
  return {
    label: `${type} ${textOf(address) ?? ''}`,
    launch: { type, url, headers },
    inputs: [...inputs.values()],
    notes: [],
  }
}

/** An address that begins with a variable can only be checked when it is filled in. */
function checkUrl([first]: Template): void {
  if (typeof first !== 'string') return
  if (!/^https?:\/\//i.test(first)) throw refusal('its URL does not begin with https://')
  if (/^https:/i.test(first) || (URL.canParse(first) && isLoopback(first))) return
  throw refusal(
    'its URL has plain http to another machine, so others on the network could read and change what is sent',
  )
}
