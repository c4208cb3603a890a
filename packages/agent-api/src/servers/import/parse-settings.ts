import { parse as parseToml, TomlError } from 'smol-toml'
import { messageOf, OstlerError } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { parseConfigDocument } from '../../config/config-document.ts'
import { parseJsonc } from './parse-jsonc.ts'
import type { ServerListFormat } from './server-list.ts'
import { defined } from '../../base/defined.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parses the settings of a program. Throws `import.invalid`, with a place but without the text, which may contain a secret. */
export function parseSettings(text: string, format: ServerListFormat | undefined): unknown {
  if (format === 'codex') return parseCodex(text)
  if (format === 'goose') return parseGoose(text)
  return parseJsonc(text)
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

/** The entries of a program with field names of its own, as most programs write them. `${env:NAME}` is a variable of the environment. */
export const toCommonEntry: Partial<Record<ServerListFormat, (entry: Fields) => Fields>> = {
  codex: ({ http_headers: headers, env_http_headers: named, bearer_token_env_var: token, ...rest }) => ({
    ...rest,
    headers: {
      ...(isRecord(headers) && headers),
      ...(isRecord(named) && Object.fromEntries(Object.entries(named).map(([name, variable]) => [name, fromEnvironment(variable)]))),
      ...(typeof token === 'string' && { Authorization: `Bearer ${fromEnvironment(token)}` }),
    },
  }),
  opencode: ({ command, environment, ...rest }) => {
    const words: readonly unknown[] = Array.isArray(command) ? command : []
    return withOpencodeVariables({
      ...rest,
      ...(words.length > 0 && { command: words[0], args: words.slice(1) }),
      ...(environment !== undefined && { env: environment }),
    }) as Fields
  },
  goose: ({ cmd, envs, env_keys: keys, uri, ...rest }) => ({
    ...rest,
    ...defined({ command: cmd, url: uri }),
    env: {
      ...(Array.isArray(keys) && Object.fromEntries(keys.map((key) => [String(key), fromEnvironment(key)]))),
      ...(isRecord(envs) && envs),
    },
  }),
}

function fromEnvironment(name: unknown): string {
  return `\${env:${String(name)}}`
}

function withOpencodeVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => fromEnvironment(name))
  if (Array.isArray(value)) return value.map(withOpencodeVariables)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOpencodeVariables(item)]))
}
