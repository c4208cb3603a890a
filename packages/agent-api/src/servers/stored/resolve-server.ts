import type { Environment } from '../../config/environment-overrides.ts'
import type { ConfigProblem } from '../../config/describe-issue.ts'
import { expandVariables } from '../../config/expand-variables.ts'
import { parseServerEntry } from '../../config/parse-server-entry.ts'
import { secretsOfEntry, toAgentServer } from '../../config/to-agent-server.ts'
import { OstlerError } from '../../base/errors.ts'
import type { ServerRow } from '../../state/servers/servers.ts'
import { isDecisive, type AgentServer } from '../../policy/agent-server.ts'
import type { Redactor } from '../../redaction/redact.ts'
import { unsealSecrets } from '../../secret-store/seal-secrets.ts'
import type { ServerSecrets } from './server-secrets.ts'

interface ResolveOptions {
  readonly secrets: ServerSecrets
  readonly env: Environment
  readonly redactor: Redactor
}

/** A problem with one field: `['env', 'TOKEN']` of the entry, or `['name']`. */
export interface ServerIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Prepares a stored server for connecting: restores its secrets, then expands variables. Throws if that fails. */
export async function resolveServer(
  row: ServerRow,
  { secrets, env, redactor }: ResolveOptions,
): Promise<AgentServer> {
  const values = await secrets.read(row.id, row.secretStore)
  const agentServer = resolveEntry(row.name, unsealSecrets(row.entry, values), {
    values: Object.values(values),
    env,
    redactor,
  })
  return { ...agentServer, config: { ...agentServer.config, storedId: row.id }, written: row.entry }
}

interface ResolveEntryOptions extends Omit<ResolveOptions, 'secrets'> {
  /** Its secrets before expansion, which may differ from what is sent. */
  readonly values: readonly string[]
}

export function resolveEntry(
  name: string,
  raw: unknown,
  { values, env, redactor }: ResolveEntryOptions,
): AgentServer {
  for (const value of values) {
    redactor.add(value)
    // A stored value may contain `$$` or a variable. The server receives, and may print, the expanded value.
    const { text, unset } = expandVariables(value, env)
    if (unset.length === 0) redactor.add(text)
  }
  const { entry, problems, unset } = parseServerEntry(name, raw, env)
  if (entry === undefined) throw invalidServer(name, [...problems, ...unset], redactor)
  for (const secret of secretsOfEntry(entry)) redactor.add(secret)
  // Only the agent file may require a server.
  const server = { ...toAgentServer(name, entry), required: false }
  return { ...server, start: server.start ?? (isDecisive(server) ? 'eager' : 'known-on-demand') }
}

export function invalidServer(
  name: string,
  problems: readonly ConfigProblem[],
  redactor: Redactor,
): OstlerError {
  const issues = problems.map(({ path, message }): ServerIssue => ({
    path,
    message: redactor.redact(message),
  }))
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || 'the server'}: ${message}`)
  return new OstlerError('config.invalid', `The server '${name}' is not valid:\n${lines.join('\n')}`, {
    data: { issues },
  })
}
