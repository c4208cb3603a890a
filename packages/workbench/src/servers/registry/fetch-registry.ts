import { OstlerError } from '@ostler/agent-api'
import {
  messageOf,
  isEncrypted,
  parsedValuesMax,
  stripHiddenLine,
  processBudget,
  limitResponse,
  networkFailureOf,
  redirectReason,
  shownAddress,
} from '@ostler/agent-api/internal'
import { parseRegistry } from './parse-registry.ts'
import type { RegistryList, RegistryServer } from './registry-server.ts'

export const officialRegistry = 'https://registry.modelcontextprotocol.io'

interface FetchRegistryOptions {
  readonly signal?: AbortSignal
  /** From the start of the request to the last byte. */
  readonly timeoutMs?: number
}

const timeoutMsDefault = 15_000
const documentBytesMax = 8 * 1024 * 1024
const searchedMax = 100

/** The latest version by default. Undefined if the registry does not have it. */
export async function fetchRegistryServer(
  base: string,
  name: string,
  { version = 'latest', ...options }: FetchRegistryOptions & { readonly version?: string } = {},
): Promise<RegistryServer | undefined> {
  const url = apiUrl(base, `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`)
  const list = await find(url, options)
  const found = list?.servers.find((server) => server.name === name)
  if (list !== undefined && found === undefined) throw failed(url, 'it answered with another server')
  return found
}

/** Of the latest versions. */
export async function searchRegistry(
  base: string,
  text: string,
  options: FetchRegistryOptions = {},
): Promise<RegistryList> {
  const url = apiUrl(base, 'servers')
  url.searchParams.set('limit', String(searchedMax))
  url.searchParams.set('version', 'latest')
  if (text !== '') url.searchParams.set('search', text)
  return read(url, options)
}

/** An address without the version of the API gets the current one. */
function apiUrl(base: string, path: string): URL {
  const url = parseAddress(base)
  const folder = url.pathname.replace(/\/*$/, '')
  url.pathname = `${/\/v\d+(?:\.\d+)?$/.test(folder) ? folder : `${folder}/v0.1`}/`
  url.search = ''
  return new URL(path, url)
}

function parseAddress(address: string): URL {
  const shown = shownAddress(address)
  if (!URL.canParse(address)) throw new OstlerError('registry.address', `${shown} is not a URL.`)
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    throw new OstlerError(
      'registry.address',
      `The address of ${url.host} contains a user name or a password, which Ostler does not send.`,
    )
  if (isEncrypted(url)) return url
  throw new OstlerError('registry.address', `${shown} is not reached over https.`)
}

async function read(url: URL, options: FetchRegistryOptions): Promise<RegistryList> {
  const list = await find(url, options)
  if (list === undefined) throw failed(url, 'it answered 404')
  return list
}

/** Undefined if the registry does not have it. */
async function find(url: URL, options: FetchRegistryOptions): Promise<RegistryList | undefined> {
  const text = await request(url, options)
  if (text === undefined) return undefined
  try {
    return parseRegistry(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    if (error instanceof OstlerError) throw failed(url, messageOf(error))
    throw failed(url, 'its answer is not JSON')
  }
}

/** Follows no redirects, because the person named only this address. Sends no credentials. */
async function request(
  url: URL,
  { signal, timeoutMs = timeoutMsDefault }: FetchRegistryOptions,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'Ostler' },
      redirect: 'manual',
      credentials: 'omit',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    const limited = limitResponse(response, {
      eventBytesMax: documentBytesMax,
      eventValuesMax: parsedValuesMax,
      streamBytesMax: documentBytesMax,
      budget: processBudget,
      tooLarge: (limit) => failed(url, limit),
    })
    if (limited.ok) return await limited.text()
    await limited.body?.cancel()
    if (limited.status === 404) return undefined
    throw failed(url, redirectReason(url, limited) ?? `it answered ${limited.status}`)
  } catch (error) {
    if (error instanceof OstlerError || signal?.aborted === true) throw error
    if (timeout.aborted) throw failed(url, `it did not answer in ${timeoutMs / 1_000} s`)
    throw unreachable(url, error)
  }
}

function unreachable(url: URL, error: unknown): OstlerError {
  // The part after the reason concerns calls of tools.
  const reason = networkFailureOf(error)?.replace(/;.*/, '')
  // The error of `fetch` says only that it failed; its cause says why.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (reason === undefined || reason === 'connection lost')
    return failed(url, reason ?? (stripHiddenLine(messageOf(cause)) || 'the connection failed'))
  return new OstlerError('registry.failed', `Could not reach ${url.host}: ${reason}. Check your connection.`)
}

function failed(url: URL, reason: string): OstlerError {
  return new OstlerError(
    'registry.failed',
    `${url.host} gave no usable answer: ${reason.replace(/\.$/, '')}.`,
  )
}
