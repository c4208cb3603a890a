import { OstlerError, type AgentServer, type Redactor } from '@ostler/agent-api'
import {
  type AgentFile,
  suggest,
  type Environment,
  messageOf,
  openStoredState,
  type ServerRow,
  resolveServer,
  createServerSecrets,
  preferredSecretStore,
  type SecretStoreState,
  useOfStoredServer,
  shadowedText,
} from '@ostler/agent-api/internal'
import {
  checkServer,
  type CheckedServer,
  type CheckServerRequest,
  type ServerFindings,
} from './check-server.ts'

interface StoredFinding {
  readonly row: ServerRow
  readonly server?: AgentServer
  readonly reason?: string
  readonly isUnused: boolean
}

interface StoredFindings {
  readonly servers: readonly StoredFinding[]
  readonly secretStore: SecretStoreState | null
  readonly warnings: readonly string[]
}

interface LookOptions {
  readonly file: AgentFile
  readonly stateDir: string | undefined
  readonly env: Environment
  readonly redactor: Redactor
}

/** Does not create a state directory. */
export async function lookAtStoredServers({
  file,
  stateDir,
  env,
  redactor,
}: LookOptions): Promise<StoredFindings> {
  const rows = stateDir === undefined ? undefined : readRows(stateDir, redactor)
  if (stateDir === undefined || rows === undefined) return { servers: [], secretStore: null, warnings: [] }
  const secrets = createServerSecrets({ stateDir, prefer: preferredSecretStore(env) })
  const fileServers = { choice: file.storedServers, fileServers: Object.keys(file.mcpServers) }
  const useOf = (row: ServerRow) => useOfStoredServer(row, fileServers)

  const servers = await Promise.all(
    rows.map(async (row): Promise<StoredFinding> => {
      const use = useOf(row)
      const isUnused = use === 'not-chosen' || use === 'shadowed'
      if (use !== 'used') return { row, isUnused }
      try {
        return { row, isUnused, server: await resolveServer(row, { secrets, env, redactor }) }
      } catch (error) {
        if (!(error instanceof OstlerError)) throw error
        return { row, isUnused, reason: error.message }
      }
    }),
  )
  const names = rows.map(({ name }) => name)
  const missing =
    typeof file.storedServers === 'string' ? [] : file.storedServers.filter((name) => !names.includes(name))
  return {
    servers,
    secretStore: await secrets.state(),
    warnings: [
      ...rows.filter((row) => row.enabled && useOf(row) === 'shadowed').map(({ name }) => shadowedText(name)),
      ...missing.map((name) => `storedServers: no server named '${name}' is stored${suggest(name, names)}`),
    ],
  }
}

/** Undefined without usable state. The report on the state contains the reason. */
function readRows(stateDir: string, redactor: Redactor): readonly ServerRow[] | undefined {
  try {
    using state = openStoredState({ stateDir, redactor })
    return state?.servers.list()
  } catch (error) {
    if (error instanceof OstlerError) return undefined
    throw new OstlerError(
      'history.unreadable',
      `The state directory ${stateDir} cannot be read: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

/** The problems of a stored server are warnings, because they never prevent the start. */
export function checkStoredServer(
  { row, server, reason, isUnused }: StoredFinding,
  request: Omit<CheckServerRequest, 'server' | 'enabled'>,
): ServerFindings {
  const { name, entry, enabled } = row
  const place = 'stored'
  if (server === undefined) {
    const { type, mode } = entry as Pick<CheckedServer, 'type' | 'mode'>
    const state = isUnused ? 'unused' : enabled ? 'failed' : 'disabled'
    const known = { name, source: 'stored', type, mode, required: false, origin: originOf(entry) } as const
    return { server: { ...known, place, state, reason, tools: [] }, problems: [], warnings: [] }
  }
  const found = checkServer({
    ...request,
    server,
    enabled,
    sourceOf: (path) => (path[0] === 'mcpServers' && path[1] === name ? place : request.sourceOf(path)),
  })
  return {
    server: { ...found.server, source: 'stored', place },
    problems: [],
    warnings: [
      ...found.warnings,
      ...found.problems.map((problem) => `${problem.split('\n')[0]} It is left out.`),
    ],
  }
}

/** As it is stored: with placeholders for secrets. */
function originOf(entry: ServerRow['entry']): string {
  const words = Array.isArray(entry['args'])
    ? [entry['command'], ...(entry['args'] as unknown[])]
    : [entry['command'] ?? entry['url']]
  return words.map(String).join(' ')
}
