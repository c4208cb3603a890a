import { escapeDollars } from './convert-text.ts'
import { describeFound, fillText } from './describe-found.ts'
import type { FoundServer, SkippedServer } from './server-list.ts'

/** Fills in the requested values. Variables and headers without a value are left out; any other missing value skips the server. */
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

/** Adds the variables of its env file. The server's own variables take precedence. */
export function addVariables(
  server: FoundServer,
  variables: Readonly<Record<string, string | undefined>>,
): FoundServer | SkippedServer {
  const more = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, escapeDollars(value)]],
  )
  const { envFile: _, ...rest } = server
  const own = (server.entry['env'] ?? {}) as Readonly<Record<string, string>>
  return describeFound({ ...rest, entry: { ...server.entry, env: { ...Object.fromEntries(more), ...own } } })
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
