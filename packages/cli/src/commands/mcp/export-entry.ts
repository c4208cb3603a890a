import { labelsIn, replacePlaceholders } from '@ostler/agent-api/internal'
import type { ServerEntryInput, ServerView } from '@ostler/workbench'

/** Replaces secrets by variables. Each secret gets its own name: the `TOKEN` of two servers is not the same. */
export function withVariables(servers: readonly ServerView[]): Map<string, ServerEntryInput> {
  const labels = servers.flatMap(({ name, entry }) => labelsIn(entry).map((label) => ({ name, label })))
  const plainName = (label: string) => /^(?:env|headers)\.(\w+)$/.exec(label)?.[1]
  const isShared = (plain: string) =>
    new Set(labels.filter(({ label }) => plainName(label) === plain).map(({ name }) => name)).size > 1
  const toName = (server: string, label: string) => {
    const plain = label.startsWith('env.') ? plainName(label) : undefined
    return plain !== undefined && !isShared(plain)
      ? plain
      : toVariable(`${server}_${label.replace(/^(?:env|headers|auth|args)\./, '')}`)
  }
  return new Map(
    servers.map(({ name, entry }) => {
      const text = replacePlaceholders(JSON.stringify(entry), (label) => `\${${toName(name, label)}}`)
      return [name, JSON.parse(text) as ServerEntryInput]
    }),
  )
}

/**
 * Converts an entry to the form that most programs read, without Ostler's own settings. Credentials become a header. Only Ostler writes `$$`
 * for a dollar sign.
 */
export function toMcpServersEntry(entry: ServerEntryInput): ServerEntryInput {
  return toCommonFields(JSON.parse(JSON.stringify(entry).replaceAll('$$', () => '$')) as ServerEntryInput)
}

function toCommonFields({
  type,
  command,
  args,
  env,
  cwd,
  url,
  headers,
  auth,
}: ServerEntryInput): ServerEntryInput {
  const isFilled = (field: unknown) =>
    typeof field === 'object' && field !== null && Object.keys(field).length > 0
  if (type === 'stdio') {
    return { command, args: args ?? [], ...(isFilled(env) && { env }), cwd }
  }
  const all = { ...(headers as object | undefined), ...authHeader(auth) }
  return { type, url, ...(isFilled(all) && { headers: all }) }
}

function authHeader(auth: unknown): Readonly<Record<string, string>> {
  const { type, token, key, header, username, password } = (auth ?? {}) as Readonly<
    Record<string, string | undefined>
  >
  switch (type) {
    case 'bearer':
      return { Authorization: `Bearer ${token}` }
    case 'api-key':
      return { [header ?? 'x-api-key']: key ?? '' }
    case 'basic':
      // A value with a variable cannot be encoded yet.
      return {
        Authorization: `Basic ${/\$\{/.test(password ?? '') ? password : Buffer.from(`${username}:${password}`).toString('base64')}`,
      }
    default:
      return {}
  }
}

function toVariable(text: string): string {
  const name = text.replace(/\W+/g, '_').toUpperCase()
  return /^[A-Z_]/.test(name) ? name : `_${name}`
}
