import { parseJsonOr } from '../base/json.ts'
import { isRecord } from '../base/is-record.ts'
import type { ConfigDocument } from './config-document.ts'
import { isWithin, type ConfigPath } from './config-path.ts'
import { suggest } from '../base/did-you-mean.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable that overrides a field: `OSTLER_MCP_SERVERS__CUSTOMERS__MODE`. */
export interface Override {
  readonly variable: string
  readonly path: ConfigPath
  readonly value: unknown
}

export interface Overrides {
  readonly overrides: readonly Override[]
  readonly problems: readonly { readonly variable: string; readonly message: string }[]
}

export interface SchemaView {
  /** Undefined if any name is allowed, such as the name of a server. */
  fieldsAt(path: ConfigPath): readonly string[] | undefined
  takesText(path: ConfigPath): boolean
}

const prefix = 'OSTLER_'
const notOverrides = new Set(['OSTLER_AGENT', 'OSTLER_SERVER', 'OSTLER_OPENAI_API', 'OSTLER_SECRET_STORE'])

export function hasOverrides(env: Environment): boolean {
  return Object.keys(env).some((name) => name.startsWith(prefix) && !notOverrides.has(name))
}

/** `__` separates levels. Names match regardless of case and punctuation, so `MCP_SERVERS` is `mcpServers`. Values for fields that do not take text are parsed as JSON. */
export function readOverrides(env: Environment, data: unknown, schema: SchemaView): Overrides {
  const overrides: Override[] = []
  const problems: { variable: string; message: string }[] = []
  for (const [variable, text] of Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!variable.startsWith(prefix) || text === undefined || notOverrides.has(variable)) continue
    const words = variable.slice(prefix.length).split('__')
    const resolved = resolvePath(words, data, schema)
    if ('path' in resolved)
      overrides.push({
        variable,
        path: resolved.path,
        value: schema.takesText(resolved.path) ? text : parseJsonOr(text, text),
      })
    // A name without `__` may belong to another program. A name with it can only be meant for Ostler.
    else if (words.length > 1)
      problems.push({
        variable,
        message: `there is no field '${resolved.unknown}'${suggest(resolved.unknown.replaceAll('_', ''), resolved.fields)}`,
      })
  }
  return { overrides, problems }
}

function resolvePath(
  words: readonly string[],
  data: unknown,
  schema: SchemaView,
): { path: ConfigPath } | { unknown: string; fields: readonly string[] } {
  const path: (string | number)[] = []
  let here: unknown = data
  for (const word of words) {
    if (Array.isArray(here)) {
      if (!/^\d+$/.test(word)) return { unknown: word, fields: [] }
      path.push(Number(word))
      here = (here as unknown[])[Number(word)]
      continue
    }
    const fields = schema.fieldsAt(path)
    const existing = typeof here === 'object' && here !== null ? Object.keys(here) : []
    const key = [...(fields ?? []), ...existing].find((candidate) => plain(candidate) === plain(word))
    if (key === undefined && fields !== undefined && fields.length > 0) return { unknown: word, fields }
    path.push(key ?? (/^\d+$/.test(word) ? Number(word) : word.toLowerCase()))
    here =
      typeof here === 'object' && here !== null
        ? (here as Record<string, unknown>)[String(path.at(-1))]
        : undefined
  }
  return { path }
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
}

export function applyOverrides(data: unknown, overrides: readonly Override[]): unknown {
  // A file that is not an object is invalid, regardless of overrides.
  if (data !== undefined && data !== null && !isRecord(data)) return data
  return overrides.reduce<unknown>((before, { path, value }) => withValue(before, path, value), data)
}

/** Copies the data. */
export function withValue(data: unknown, [key, ...rest]: ConfigPath, value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(data) ? [...data] : []
    list[key] = withValue(list[key], rest, value)
    return list
  }
  const map = isRecord(data) ? data : {}
  return { ...map, [key]: withValue(map[key], rest, value) }
}

/** The variable that set a value, or its place in the file. */
export function sourceOf(
  path: ConfigPath,
  overrides: readonly Override[],
  document: ConfigDocument | undefined,
): string {
  const override = overrides.findLast(({ path: set }) => isWithin(path, set))
  return override?.variable ?? document?.placeOf(path) ?? 'the built-in agent'
}
