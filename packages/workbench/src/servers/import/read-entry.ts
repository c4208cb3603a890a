import {
  isRecord,
  defined,
  isLoopback,
  filtersNothing,
  ownListFor,
  toOwnEntry,
  toTransport,
} from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'
import { convertText, type ConvertOptions } from './convert-text.ts'

type Fields = Readonly<Record<string, unknown>>

type ReadEntry =
  | { readonly entry: ServerEntryInput; readonly notes: readonly string[] }
  | { readonly reason: string }

/** Fields that an Ostler entry keeps. Excludes those that would let tools run without a question. */
const ownFields = [
  'mode',
  'include',
  'timeout',
  'retryAttempts',
  'rateLimit',
  'prompts',
  'allowInsecureHttp',
] as const
const refusedFields = ['trusted', 'required', 'defaultToolConfig'] as const

const argumentsMax = 1_000

type Convert = (text: string) => string

/** Returns the reason if it cannot be an entry of the agent file. */
export function readEntry(raw: unknown, options: ConvertOptions): ReadEntry {
  if (!isRecord(raw)) return { reason: 'it is not an object' }
  const given = Object.fromEntries(Object.entries(flatten(raw)).filter(([, value]) => value !== null))
  const stated = given['type'] ?? given['transport'] ?? given['transportType']
  if (stated !== undefined && toTransport(stated) === undefined)
    return { reason: `its transport ${JSON.stringify(stated)} is not supported` }
  const fields = toOwnEntry(given)
  const type = toTransport(fields['type']) ?? 'stdio'

  const notes = new Set<string>()
  const convert = (text: string): string => {
    const converted = convertText(text, options)
    for (const note of converted.notes) notes.add(note)
    return converted.text
  }
  if (type === 'stdio' && fields['url'] !== undefined && fields['command'] !== undefined)
    notes.add('its url is not imported, because it has a command')
  const shared = readShared(fields, convert, notes)
  const read =
    type === 'stdio' ? readStdio(fields, raw, convert, notes) : readRemote(fields, type, convert, notes)
  return 'reason' in read ? read : { ...read, entry: { ...read.entry, ...shared }, notes: [...notes] }
}

function readShared(fields: Fields, convert: Convert, notes: Set<string>): Fields {
  const { description, disabled, enabled, toolAllowlist, toolDenylist } = fields
  const shared = {
    ...defined({ toolAllowlist, toolDenylist }),
    ...(typeof description === 'string' && { description: convert(description) }),
    ...((disabled === true || enabled === false) && { enabled: false }),
  }
  for (const [field, value] of Object.entries(fields))
    if (ownListFor(field) && !filtersNothing(field, value))
      notes.add(`the list ${field} is not imported: write its names in ${ownListFor(field)}`)
  if (!isOwn(fields)) return shared
  for (const name of refusedFields)
    if (fields[name] !== undefined) notes.add(`the field ${name} is not imported`)
  return {
    ...shared,
    ...Object.fromEntries(
      ownFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
    ),
  }
}

type ReadTransport = { readonly entry: Fields } | { readonly reason: string }

function readStdio(
  { command, args = [], env = {}, cwd, envFile }: Fields,
  raw: Fields,
  convert: Convert,
  notes: Set<string>,
): ReadTransport {
  if (typeof command !== 'string' || command === '') return { reason: missingCommand(raw) }
  if (!Array.isArray(args) || !args.every(isScalar)) return { reason: 'its args are not a list of strings' }
  if (args.length > argumentsMax) return { reason: `it has more than ${argumentsMax} arguments` }
  const variables = toTexts(env, convert)
  if (variables === undefined) return { reason: 'its env is not an object of strings' }
  if (typeof envFile === 'string') notes.add(`the variables in its file ${envFile} are not imported`)
  const directory = typeof cwd === 'string' ? convert(cwd) : '.'
  const toArgument = (text: string) =>
    isOwn(raw) ? convert(text) : keepOwnVariables(convert(text), variables)
  return {
    entry: {
      type: 'stdio',
      command: convert(command),
      args: args.map((arg) => toArgument(String(arg))),
      env: variables,
      ...(directory !== '.' && directory !== '' && { cwd: directory }),
    },
  }
}

/** Servers such as mcp-remote expand the variables of their own `env` in their arguments, so Ostler must not. */
function keepOwnVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{([A-Za-z_]\w*)\}/g, (whole, name: string | undefined) => {
    const isOwnVariable = name !== undefined && Object.hasOwn(env, name) && env[name] !== whole
    return isOwnVariable ? `$${whole}` : whole
  })
}

function readRemote(
  fields: Fields,
  type: 'http' | 'sse',
  convert: Convert,
  notes: Set<string>,
): ReadTransport {
  const address = fields['url']
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address))
    return { reason: 'it has no http or https URL' }
  const url = convert(address)
  const isInsecureAllowed = isOwn(fields) && fields['allowInsecureHttp'] === true
  if (isUnencryptedRemote(url) && !isInsecureAllowed)
    return {
      reason: 'it uses plain http to another machine. Use https, or add it by itself with allowInsecureHttp',
    }
  const headers = toTexts(fields['headers'] ?? {}, convert)
  if (headers === undefined) return { reason: 'its headers are not an object of strings' }
  const auth = ownAuth(fields['auth'], convert)
  if (auth === undefined && (fields['auth'] ?? fields['oauth']) !== undefined)
    notes.add('its login settings are not imported')
  return { entry: { type, url, headers, auth } }
}

/** True for an entry that was written for Ostler. */
function isOwn({ mode }: Fields): boolean {
  return mode === 'strict' || mode === 'dynamic'
}

/** An older Zed format has the command in a nested object. */
function flatten(raw: Fields): Fields {
  const { command, ...rest } = raw
  if (!isRecord(command)) return raw
  return { ...rest, ...command, command: command['path'] ?? command['command'] }
}

function missingCommand(raw: Fields): string {
  const isExtension = raw['source'] === 'extension' || raw['settings'] !== undefined
  return isExtension
    ? 'it belongs to an extension, and only the extension knows its command'
    : 'it has neither a command nor a URL'
}

function isUnencryptedRemote(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(url)
}

/** The types of `auth` that Ostler has. Those of other programs may share a name, so the schema checks the rest. */
const ownAuthTypes: ReadonlySet<unknown> = new Set([
  'none',
  'bearer',
  'api-key',
  'basic',
  'client-credentials',
  'client-credentials-jwt',
  'enterprise',
  'workload',
])

function ownAuth(auth: unknown, convert: Convert): Fields | undefined {
  if (!isRecord(auth) || !ownAuthTypes.has(auth['type'])) return undefined
  return toTexts(auth, convert)
}

/** Numbers and booleans are converted to text; null values are left out. */
function toTexts(value: unknown, convert: Convert): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined
  const pairs = Object.entries(value).filter(([, item]) => item !== null)
  if (!pairs.every(([, item]) => isScalar(item))) return undefined
  return Object.fromEntries(pairs.map(([name, item]) => [name, convert(String(item))]))
}

export function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
