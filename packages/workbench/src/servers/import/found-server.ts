import {
  serverNameProblem,
  messageOf,
  sealSecrets,
  maskPlaceholders,
  toCommandLine,
} from '@ostler/agent-api/internal'
import type { FoundServer, SkippedServer } from './server-list.ts'
import type { ServerEntryInput } from '../server-service.ts'
import { escapeDollars } from './convert-text.ts'

export type Found = Pick<FoundServer, 'name' | 'entry' | 'secret' | 'notes'>

const input = /\$\{input:([^{}]+)\}/g
/** `$$` is a dollar sign, so the text after one is not a variable. */
const variable = /\$\$|\$\{([A-Za-z_]\w*)\}/g

export function describeFound(found: Found): FoundServer | SkippedServer {
  const { name, entry, secret, notes } = found
  const problem = serverNameProblem(name)
  if (problem !== undefined) return { name, reason: `its name ${problem}` }
  try {
    const { sealed, secrets } = sealSecrets(entry, secret)
    const text = JSON.stringify(entry)
    return {
      name,
      entry,
      secret,
      origin: toEntryOrigin(sealed),
      secrets: Object.keys(secrets),
      inputs: inputsIn(text),
      variables: [...new Set([...text.matchAll(variable)].flatMap(([, variableName]) => variableName ?? []))],
      notes,
    }
  } catch (error) {
    return { name, reason: messageOf(error) }
  }
}

export function inputsIn(text: string): string[] {
  return [...new Set([...text.matchAll(input)].map(([, id = '']) => id))]
}

/** Undefined if a value is missing. */
function fillText(text: string, values: Readonly<Record<string, string>>): string | undefined {
  let isWhole = true
  const filled = text.replace(input, (_, id: string) => {
    const value = Object.hasOwn(values, id) ? values[id] : undefined
    isWhole &&= value !== undefined
    return value ?? ''
  })
  return isWhole ? filled : undefined
}

/** Without secrets. A person must see what would run. */
export function toEntryOrigin(sealed: ServerEntryInput): string {
  const masked = (text: unknown) => maskPlaceholders(String(text))
  const { type, command, args, url } = sealed
  if (type !== 'stdio') return masked(url)
  return toCommandLine([masked(command), ...(Array.isArray(args) ? args.map(masked) : [])])
}

/** Variables and headers without a value are left out; any other missing value skips the server. */
export function fillInputs(
  server: FoundServer,
  values: Readonly<Record<string, string>>,
): FoundServer | SkippedServer {
  if (server.inputs.length === 0) return server
  const escaped = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, escapeDollars(value)]))
  const missing = server.inputs.filter((id) => !Object.hasOwn(escaped, id))
  const notes = [...server.notes]
  const fillPairs = (field: string, pairs: unknown): Record<string, string> =>
    Object.fromEntries(
      Object.entries(pairs as Record<string, string>).flatMap(([name, text]) => {
        const filled = fillText(text, escaped)
        if (filled === undefined) notes.push(`${field}.${name} is skipped: it has no value`)
        return filled === undefined ? [] : [[name, filled]]
      }),
    )
  const { env, headers, ...rest } = server.entry
  const restFilled = fillText(
    JSON.stringify(rest),
    Object.fromEntries(Object.entries(escaped).map(([id, value]) => [id, inJson(value)])),
  )
  if (restFilled === undefined)
    return { name: server.name, reason: `it requires a value for ${missing.join(', ')}` }
  const entry = {
    ...(JSON.parse(restFilled) as object),
    ...(env !== undefined && { env: fillPairs('env', env) }),
    ...(headers !== undefined && { headers: fillPairs('headers', headers) }),
  }
  return describeFound({ ...server, entry, notes })
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
