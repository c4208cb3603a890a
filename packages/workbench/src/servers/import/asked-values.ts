import { type Environment, defined, mapTexts, isSecretName } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'
import { fillInputs, describeFound } from './found-server.ts'
import { escapeDollars } from './convert-text.ts'
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
  const { description, env: own, headers, ...rest } = server.entry
  const passed = passedOn(rest)
  const env = own === undefined && passed === undefined ? undefined : { ...passed, ...(own as object) }
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

/** Its inputs, and the variables that are not set here. */
export function askedValues(
  server: FoundServer,
  inputs: readonly ServerListInput[],
  env: Environment,
): AskedValue[] {
  const asked = server.inputs.map((id): AskedValue => {
    const {
      description: label = id,
      isSecret = true,
      default: preset,
      isGap,
    } = inputs.find((input) => input.id === id) ?? {}
    const description = isGap ? 'The text has a placeholder here: enter your own value.' : undefined
    return { id, label, isSecret, isRequired: !isInPairs(server, id), ...defined({ preset, description }) }
  })
  const unset = server.variables.filter((name) => env[name] === undefined)
  return [
    ...asked,
    ...unset.map((name): AskedValue => {
      const id = variablePrefix + name
      return {
        id,
        label: name,
        isSecret: isSecretName(name),
        isRequired: false,
        description: 'This variable is not set here.',
      }
    }),
  ]
}

/** A variable without a value stays a reference. */
export function fillAsked(
  server: FoundServer,
  values: Readonly<Record<string, string>>,
): FoundServer | SkippedServer {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const filled = fillInputs(server, given)
  if ('reason' in filled || !Object.keys(given).some((id) => id.startsWith(variablePrefix))) return filled
  const entry = mapTexts(filled.entry, (text) =>
    text.replace(/\$\$|\$\{([A-Za-z_]\w*)\}/g, (whole, name: string | undefined) => {
      const id = variablePrefix + (name ?? '')
      return name !== undefined && Object.hasOwn(given, id) ? escapeDollars(given[id] ?? '') : whole
    }),
  ) as ServerEntryInput
  return describeFound({ ...filled, entry })
}

const variablePrefix = 'variable:'

/** The secrets that `docker run -e API_KEY` takes from its own environment. */
function passedOn({
  command,
  args = [],
}: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  if (!/(?:^|[\\/])(?:docker|podman)(?:\.exe)?$/.test(String(command))) return undefined
  const words = args as readonly string[]
  const names = words.filter(
    (word, at) =>
      /^(?:-e|--env)$/.test(words[at - 1] ?? '') && /^[A-Za-z_]\w*$/.test(word) && isSecretName(word),
  )
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, '']))
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
