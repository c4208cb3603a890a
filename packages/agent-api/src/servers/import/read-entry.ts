import { isRecord } from '../../base/is-record.ts'
import { isLoopback } from '../../base/loopback.ts'
import type { ServerEntryInput } from '../service/server-service.ts'
import { convertText, type ConvertOptions } from './convert-text.ts'

type Fields = Readonly<Record<string, unknown>>

export type ReadEntry =
  | { readonly entry: ServerEntryInput; readonly envFile?: string; readonly notes: readonly string[] }
  | { readonly reason: string }

/** Names that programs use for transports. */
const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
}

/** Fields that an Ostler entry keeps. Excludes those that would let tools run without a question. */
const ownFields = ['mode', 'include', 'timeout', 'retryAttempts', 'rateLimit', 'prompts', 'allowInsecureHttp'] as const
const refusedFields = ['trusted', 'required', 'defaultToolConfig'] as const

/** Converts another program's server entry to one of the agent file, or returns the reason why that is impossible. */
export function readEntry(raw: unknown, options: ConvertOptions): ReadEntry {
  if (!isRecord(raw)) return { reason: 'it is not an object' }
  const fields = flatten(raw)
  const address = fields['url'] ?? fields['httpUrl'] ?? fields['serverUrl']
  const stated = fields['type'] ?? fields['transport'] ?? fields['transportType']
  const isOwn = fields['mode'] === 'strict' || fields['mode'] === 'dynamic'
  const notes = new Set<string>()
  const convert = (text: string): string => {
    const converted = convertText(text, options)
    for (const note of converted.notes) notes.add(note)
    return converted.text
  }
  const shared = {
    ...(typeof fields['description'] === 'string' && { description: convert(fields['description']) }),
    ...((fields['disabled'] === true || fields['enabled'] === false) && { enabled: false }),
    ...(isOwn && Object.fromEntries(ownFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))),
  }
  for (const name of refusedFields) if (isOwn && fields[name] !== undefined) notes.add(`${name} is not imported`)

  if (stated !== undefined && transportOf(stated) === undefined)
    return { reason: `its transport ${JSON.stringify(stated)} is not supported` }
  const type = transportOf(stated) ?? (typeof address === 'string' ? guessRemote(address) : 'stdio')
  if (type === 'stdio') {
    const { command, args = [], env = {}, cwd, envFile } = fields
    if (typeof command !== 'string' || command === '') return { reason: missingCommand(raw) }
    if (!Array.isArray(args) || !args.every(isScalar)) return { reason: 'its args are not a list of strings' }
    const variables = toTexts(env, convert)
    if (variables === undefined) return { reason: 'its env is not an object of strings' }
    const directory = typeof cwd === 'string' ? convert(cwd) : '.'
    const entry = { type, command: convert(command), args: args.map((arg) => convert(String(arg))), env: variables }
    return {
      entry: { ...entry, ...(directory !== '.' && directory !== '' && { cwd: directory }), ...shared },
      ...(typeof envFile === 'string' && { envFile: convert(envFile) }),
      notes: [...notes],
    }
  }
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return { reason: 'it has no http or https URL' }
  const url = convert(address)
  if (isUnencryptedRemote(url) && shared['allowInsecureHttp' as keyof typeof shared] !== true)
    return {
      reason: 'it uses plain http to another machine. Allow that with --set allowInsecureHttp=true',
    }
  const headers = toTexts(fields['headers'] ?? {}, convert)
  if (headers === undefined) return { reason: 'its headers are not an object of strings' }
  const auth = ownAuth(fields['auth'], convert)
  if (auth === undefined && (fields['auth'] ?? fields['oauth']) !== undefined) notes.add('its login settings are not imported')
  return { entry: { type, url, headers, ...(auth && { auth }), ...shared }, notes: [...notes] }
}

/** An older Zed format has the command in a nested object. */
function flatten(raw: Fields): Fields {
  const { command, ...rest } = raw
  if (!isRecord(command)) return raw
  return { ...rest, ...command, command: command['path'] ?? command['command'] }
}

function transportOf(stated: unknown): 'stdio' | 'http' | 'sse' | undefined {
  return typeof stated === 'string' ? transports[stated.toLowerCase()] : undefined
}

/** Without a stated transport, only the end of the path gives a hint. */
function guessRemote(url: string): 'http' | 'sse' {
  return /\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'http'
}

function missingCommand(raw: Fields): string {
  const isExtension = raw['source'] === 'extension' || raw['settings'] !== undefined
  return isExtension ? 'it belongs to an extension, and only the extension knows its command' : 'it has neither a command nor a URL'
}

function isUnencryptedRemote(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(url)
}

function ownAuth(auth: unknown, convert: (text: string) => string): Fields | undefined {
  if (!isRecord(auth) || !['none', 'bearer', 'api-key', 'basic'].includes(String(auth['type']))) return undefined
  return toTexts(auth, convert)
}

/** Numbers and booleans are converted to text; null values are left out. */
function toTexts(value: unknown, convert: (text: string) => string): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined
  const pairs = Object.entries(value).filter(([, item]) => item !== null)
  if (!pairs.every(([, item]) => isScalar(item))) return undefined
  return Object.fromEntries(pairs.map(([name, item]) => [name, convert(String(item))]))
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
