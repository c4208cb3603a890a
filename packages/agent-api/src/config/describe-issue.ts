import type { z } from 'zod'
import { isSecretName } from '../mcp/secrets-of.ts'
import type { ConfigPath } from './config-document.ts'
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
export function describeIssue(issue: z.core.$ZodIssue, data: unknown): ConfigProblem[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  const found = describeFound(path, valueAt(data, path))
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => {
        const at = [...path, key]
        const list = path[0] === 'mcpServers' ? ownListFor(key) : undefined
        const instead = list && `this list belongs to another program. Instead, write its names in ${list}`
        const message =
          misplaced[at.join('.')] ??
          instead ??
          `unknown field${suggestField(key, schemaView().fieldsAt(path) ?? [])}`
        return insteadOfEarlier(at, valueAt(data, at)) ?? [{ path: at, message }]
      })
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      if (found === 'missing' && path[0] === 'mcpServers' && path[2] === 'mode')
        return [{ path, message: missingMode(String(path[1]), valueAt(data, path.slice(0, 2))) }]
      return [
        {
          path,
          message: `${found}; expected ${oneOf(allowed)}${suggest(String(valueAt(data, path)), allowed)}`,
        },
      ]
    }
    case 'invalid_union': {
      // A union with a discriminator reports this if the discriminating field is missing or wrong.
      const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
      if (issue.discriminator === undefined) return [{ path, message: `${found}; ${issue.message}` }]
      // Without a type, the command or the URL determines it.
      if (path.length === 3 && path[0] === 'mcpServers' && found === 'missing')
        return [{ path, message: 'missing; expected a command or a url' }]
      return [
        { path, message: `${found}; expected ${options.length > 0 ? oneOf(options) : issue.discriminator}` },
      ]
    }
    case 'invalid_type': {
      const expected = issue.expected === 'record' ? 'object' : issue.expected
      return [
        { path, message: `${valueAt(data, path) === undefined ? 'missing' : found}; expected ${expected}` },
      ]
    }
    case 'too_big':
      return [{ path, message: `${found}; expected at most ${issue.maximum}` }]
    case 'too_small':
      return [
        {
          path,
          message:
            issue.origin === 'string' ? 'must not be empty' : `${found}; expected at least ${issue.minimum}`,
        },
      ]
    default:
      return [{ path, message: issue.message }]
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
