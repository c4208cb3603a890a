import { parse as parseToml, TomlError } from 'smol-toml'
import { OstlerError } from '@ostler/agent-api'
import { messageOf, isRecord, parseConfigDocument, defined } from '@ostler/agent-api/internal'
import { parseJsonc } from './parse-jsonc.ts'
import type { ServerListFormat } from './server-list.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Dialect {
  /** Throws `import.invalid`, with a place but without the text, which may contain a secret. */
  readonly parse: (text: string) => unknown
  readonly entries: (data: Fields) => unknown
  /** For a person. */
  readonly place: string
  /** Converts to the field names of most programs. `${env:NAME}` is a variable of the environment. */
  readonly toCommon?: (entry: Fields) => Fields
  /** `own`: as in VS Code, and Ostler's own. `added`: only those that `toCommon` adds. */
  readonly references: 'vscode' | 'own' | 'added' | 'none'
}

export const dialects: Readonly<Record<ServerListFormat, Dialect>> = {
  mcpServers: {
    parse: parseJsonc,
    entries: (data) => data['mcpServers'] ?? bareServers(data),
    place: '"mcpServers"',
    references: 'own',
  },
  vscode: {
    parse: parseJsonc,
    entries: (data) => vscodePart(data)['servers'],
    place: '"servers"',
    references: 'vscode',
  },
  zed: {
    parse: parseJsonc,
    entries: (data) => data['context_servers'],
    place: '"context_servers"',
    references: 'none',
  },
  codex: {
    parse: parseCodex,
    entries: (data) => data['mcp_servers'],
    place: '[mcp_servers]',
    references: 'added',
    toCommon: ({ http_headers: headers, env_http_headers: named, bearer_token_env_var: token, ...rest }) => ({
      ...rest,
      headers: {
        ...(isRecord(headers) && headers),
        ...(isRecord(named) &&
          Object.fromEntries(
            Object.entries(named).map(([name, variable]) => [name, fromEnvironment(variable)]),
          )),
        ...(typeof token === 'string' && { Authorization: `Bearer ${fromEnvironment(token)}` }),
      },
    }),
  },
  opencode: {
    parse: parseJsonc,
    entries: (data) => data['mcp'],
    place: '"mcp"',
    references: 'added',
    toCommon: ({ command, environment, ...rest }) => {
      const words: readonly unknown[] = Array.isArray(command) ? command : []
      return withOpencodeVariables({
        ...rest,
        ...(words.length > 0 && { command: words[0], args: words.slice(1) }),
        ...(environment !== undefined && { env: environment }),
      }) as Fields
    },
  },
  goose: {
    parse: parseGoose,
    entries: (data) => data['extensions'],
    place: 'extensions',
    references: 'added',
    toCommon: ({ cmd, envs, env_keys: keys, uri, ...rest }) => ({
      ...rest,
      ...defined({ command: cmd, url: uri }),
      env: {
        ...(Array.isArray(keys) &&
          Object.fromEntries(keys.map((key) => [String(key), fromEnvironment(key)]))),
        ...(isRecord(envs) && envs),
      },
    }),
  },
}

function parseCodex(text: string): unknown {
  try {
    return parseToml(text)
  } catch (error) {
    const place = error instanceof TomlError ? `: line ${error.line}, column ${error.column}` : ''
    throw new OstlerError('import.invalid', `It is not TOML${place}.`)
  }
}

function parseGoose(text: string): unknown {
  try {
    const { data, syntaxErrors } = parseConfigDocument('', text)
    const [first] = syntaxErrors
    if (first === undefined) return data
    throw new OstlerError('import.invalid', `It is not YAML: line ${first.place.split(':')[1] ?? '1'}.`)
  } catch (error) {
    if (error instanceof OstlerError) throw error
    throw new OstlerError('import.invalid', `It is not YAML: ${messageOf(error)}`)
  }
}

function fromEnvironment(name: unknown): string {
  return `\${env:${String(name)}}`
}

function withOpencodeVariables(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => fromEnvironment(name))
  if (Array.isArray(value)) return value.map(withOpencodeVariables)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOpencodeVariables(item)]))
}

/** In the user's settings, the servers are one level deeper than in a separate file. */
export function vscodePart(data: Fields): Fields {
  return isRecord(data['mcp']) ? data['mcp'] : data
}

/** Snippets copied from a page often lack the surrounding object. */
function bareServers(data: Fields): Fields | undefined {
  const all = Object.values(data)
  return all.length > 0 &&
    all.every((item) => isRecord(item) && (item['command'] ?? item['url']) !== undefined)
    ? data
    : undefined
}
