import { defined, mapTexts, isSecretName } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'
import { describeFound } from './found-server.ts'
import type { FoundServer, ServerListInput, SkippedServer } from './server-list.ts'

/** A value that a person gives before a found server is stored. */
export interface AskedValue {
  readonly id: string
  readonly label: string
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly preset?: string
  readonly description?: string
  readonly choices?: readonly string[]
}

/**
 * Placeholders that documentation uses for a value: `<KEY>`, `YOUR_API_KEY`, `your-token-here`, `sk-...`, `/path/to/files`. References
 * stay.
 */
const gap =
  /\$\{[^{}]*\}|<[A-Za-z][\w .-]*>|\b(?:YOUR|INSERT|REPLACE|ENTER)(?:[-_ ][A-Za-z0-9]+)+|\b(?:your|insert|replace|enter)(?:[-_][A-Za-z0-9]+)+|(?<![\w-])[\w-]*(?:\.{3}|…|[xX]{4,}|\*{3,})|(?:[A-Z]:)?(?:[\\/]|\b)path[\\/]to(?:[\\/][\w.-]+)*/g

/** An empty variable counts as a gap if its name suggests a secret. */
export function markGaps(server: FoundServer): {
  readonly server: FoundServer | SkippedServer
  readonly inputs: readonly ServerListInput[]
} {
  const inputs = new Map<string, ServerListInput>()
  const mark = (text: string, name?: string) => {
    const ask = (id: string) => {
      inputs.set(id, { id, isSecret: isSecretName(id), isGap: true })
      return `\${input:${id}}`
    }
    if (name !== undefined && text === '') return isSecretName(name) ? ask(name) : text
    return text.replace(gap, (found) => (found.startsWith('${') ? found : ask(name ?? nameOfGap(found))))
  }
  const { description, env, headers, ...rest } = server.entry
  const entry: ServerEntryInput = {
    description,
    ...(mapTexts(rest, (text) => mark(text)) as ServerEntryInput),
    ...(env !== undefined && { env: markPairs(env, mark) }),
    ...(headers !== undefined && { headers: markPairs(headers, mark) }),
  }
  if (inputs.size === 0) return { server, inputs: [] }
  const secret = {
    env: [...(server.secret.env ?? []), ...secretNames(env, inputs)],
    headers: [...(server.secret.headers ?? []), ...secretNames(headers, inputs)],
  }
  return { server: describeFound({ ...server, entry, secret }), inputs: [...inputs.values()] }
}

export function askedValues(server: FoundServer, inputs: readonly ServerListInput[]): AskedValue[] {
  return server.inputs.map((id): AskedValue => {
    const {
      description: label = id,
      isSecret = true,
      default: preset,
      isGap,
    } = inputs.find((input) => input.id === id) ?? {}
    const description = isGap ? 'The text has a placeholder here: enter your own value.' : undefined
    return { id, label, isSecret, isRequired: !isInPairs(server, id), ...defined({ preset, description }) }
  })
}

/** The prompt for `<API_KEY>` says API_KEY. */
function nameOfGap(found: string): string {
  return found.replace(/^<|>$/g, '').replaceAll(/[{}]/g, '')
}

function markPairs(pairs: unknown, mark: (text: string, name: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pairs as Record<string, string>).map(([name, text]) => [name, mark(text, name)]),
  )
}

function secretNames(pairs: unknown, inputs: ReadonlyMap<string, ServerListInput>): string[] {
  return Object.keys(pairs ?? {}).filter((name) => inputs.get(name)?.isSecret === true)
}

/** A variable or header without its value is left out, so the server can do without it. */
function isInPairs({ entry }: FoundServer, id: string): boolean {
  const rest = Object.entries(entry).filter(([field]) => field !== 'env' && field !== 'headers')
  return !JSON.stringify(rest).includes(`\${input:${id}}`)
}
