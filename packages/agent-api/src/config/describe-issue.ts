import type { z } from 'zod'
import { isSecretName } from '../mcp/secrets-of.ts'
import type { ConfigPath } from './config-path.ts'
import { readmeFields } from './complete-servers.ts'
import { insteadOfEarlier } from './earlier-names.ts'
import { schemaView } from './schema-view.ts'
import { ownListFor } from './foreign-fields.ts'
import { suggest } from '../base/did-you-mean.ts'

export interface ConfigProblem {
  readonly path: ConfigPath
  readonly message: string
}

/** Says what was found, what is allowed, and what was probably meant. */
export function describeIssue(issue: z.core.$ZodIssue, data: unknown): readonly ConfigProblem[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') return issue.keys.flatMap((key) => describeUnknown(path, key, data))
  return [{ path, message: toMessage(issue, path, data) }]
}

function describeUnknown(parent: ConfigPath, key: string, data: unknown): readonly ConfigProblem[] {
  const path = [...parent, key]
  const list = parent[0] === 'mcpServers' ? ownListFor(key) : undefined
  const instead = list && `this list belongs to another program. Instead, write its names in ${list}`
  const message =
    misplaced[path.join('.')] ??
    instead ??
    `unknown field${suggestField(key, schemaView().fieldsAt(parent) ?? [])}`
  return insteadOfEarlier(path, valueAt(data, path)) ?? [{ path, message }]
}

function toMessage(issue: z.core.$ZodIssue, path: ConfigPath, data: unknown): string {
  const value = valueAt(data, path)
  const found = describeFound(path, value)
  switch (issue.code) {
    case 'invalid_value': {
      if (found === 'missing' && path[0] === 'mcpServers' && path[2] === 'mode')
        return missingMode(String(path[1]), valueAt(data, path.slice(0, 2)))
      const allowed = issue.values.map(String)
      return `${found}; expected ${oneOf(allowed)}${suggest(String(value), allowed)}`
    }
    case 'invalid_union': {
      // A union with a discriminator reports this if the discriminating field is missing or wrong.
      if (issue.discriminator === undefined) return `${found}; ${issue.message}`
      // Without a type, the command or the URL determines it.
      if (path.length === 3 && path[0] === 'mcpServers' && found === 'missing')
        return 'missing; expected a command or a url'
      const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
      return `${found}; expected ${options.length > 0 ? oneOf(options) : issue.discriminator}`
    }
    case 'invalid_type':
      return `${found}; expected ${issue.expected === 'record' ? 'object' : issue.expected}`
    case 'too_big':
      return `${found}; expected at most ${issue.maximum}`
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `${found}; expected at least ${issue.minimum}`
    default:
      return issue.message
  }
}

/** An entry without a mode has a field that no README has; otherwise it would have been completed. */
function missingMode(server: string, entry: unknown): string {
  const added = Object.keys(entry ?? {}).find((field) => !readmeFields.includes(field) && field !== 'enabled')
  return `MCP server '${server}' is missing required field 'mode': 'strict' requires all tools to be configured, 'dynamic' uses defaultToolConfig for unconfigured tools. Only an entry as in a README needs none, and this one has '${added ?? 'enabled'}'. For the defaults, write mode: dynamic and defaultToolConfig: {}`
}

function oneOf(values: readonly string[]): string {
  return values.length > 2 ? `one of: ${values.join(', ')}` : values.join(' or ')
}

const misplaced: Readonly<Record<string, string>> = {
  'sessionServers.defaultToolConfig.include':
    'has no effect: the tools of the editor’s servers are always offered',
}

/** A field of another branch of a union is known, but not valid here. */
function suggestField(field: string, fields: readonly string[]): string {
  return fields.includes(field) ? ' for this type' : suggest(field, fields)
}

const shownCharsMax = 60
const secretFields: ReadonlySet<string> = new Set(['env', 'headers', 'auth', 'args', 'url', 'baseUrl'])

function describeFound(path: ConfigPath, value: unknown): string {
  if (value === undefined) return 'missing'
  const isSecret = path.some((key) => typeof key === 'string' && (isSecretName(key) || secretFields.has(key)))
  if (isSecret || (typeof value === 'object' && value !== null)) return `found ${kindOf(value)}`
  const text = JSON.stringify(value) ?? String(value)
  return `found ${text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

export function valueAt(data: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    data,
  )
}
