import { OstlerError, type AgentServer } from '@ostler/agent-api'
import { defined, type ServerRow, toServerPin, serverIdentity } from '@ostler/agent-api/internal'
import type { StoredServers } from '../stored/stored-servers.ts'
import type { FileServers } from './used-agent-file.ts'
import type { PolicyView, ServerId, ServiceConnection } from '../server-service.ts'

interface ListPoliciesOptions {
  readonly files: FileServers
  readonly stored: Pick<StoredServers, 'list'>
  readonly resolve: (row: ServerRow) => Promise<AgentServer>
  readonly connected: (id: ServerId) => ServiceConnection | undefined
  readonly cwd: string
}

export async function listPolicies({
  files,
  stored,
  resolve,
  connected,
  cwd,
}: ListPoliciesOptions): Promise<readonly PolicyView[]> {
  const fromFile = files.all.map(({ id, name, entry, server }): PolicyView => {
    return { name, origin: 'file', enabled: entry.enabled, ...described(server, cwd), ...toolsOf(id) }
  })
  const fromStore = stored.list().map(async (row): Promise<PolicyView> => {
    const { id, name, enabled } = row
    return { name, origin: 'stored', enabled, ...(await describedRow(row)), ...toolsOf(id) }
  })
  return [...fromFile, ...(await Promise.all(fromStore))]

  /** A server that cannot be started has no identity, but it has the policy of its entry. */
  async function describedRow(row: ServerRow): Promise<Pick<PolicyView, 'policy' | 'pin'>> {
    try {
      return described(await resolve(row), cwd)
    } catch (error) {
      if (!(error instanceof OstlerError)) throw error
      return { policy: { mode: row.entry['mode'] === 'strict' ? 'strict' : 'dynamic' } }
    }
  }

  function toolsOf(id: ServerId): Pick<PolicyView, 'tools'> {
    const client = connected(id)?.client
    return client?.status.state === 'connected' ? { tools: client.tools } : {}
  }
}

function described(server: AgentServer, cwd: string): Pick<PolicyView, 'policy' | 'pin'> {
  const { config, mode, defaultToolConfig, include, toolAllowlist, toolDenylist, trusted } = server
  return {
    policy: { mode, trusted, ...defined({ defaultToolConfig, include, toolAllowlist, toolDenylist }) },
    pin: toServerPin(serverIdentity(config, cwd, true)),
  }
}
