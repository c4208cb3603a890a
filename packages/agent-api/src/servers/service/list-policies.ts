import { defined } from '../../base/defined.ts'
import { OstlerError } from '../../base/errors.ts'
import type { ServerRow } from '../../history/servers.ts'
import type { AgentServer } from '../../policy/agent-server.ts'
import { toServerPin } from '../../policy/pin.ts'
import { serverIdentity } from '../../policy/server-identity.ts'
import type { StoredServers } from '../stored/stored-servers.ts'
import type { FileServers } from './file-servers.ts'
import type { PolicyView } from '../server-service.ts'
import type { ServiceConnections } from './service-connections.ts'

export interface ListPoliciesOptions {
  readonly files: FileServers
  readonly stored: Pick<StoredServers, 'list'>
  readonly resolve: (row: ServerRow) => Promise<AgentServer>
  readonly connections: Pick<ServiceConnections, 'find'>
  /** The folder in which the servers start. */
  readonly cwd: string
}

/** The servers of the file in their order, then stored ones by name. */
export async function listPolicies({ files, stored, resolve, connections, cwd }: ListPoliciesOptions): Promise<readonly PolicyView[]> {
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
      return { policy: { mode: row.config['mode'] === 'strict' ? 'strict' : 'dynamic' } }
    }
  }

  function toolsOf(id: string): Pick<PolicyView, 'tools'> {
    const client = connections.find(id)?.client
    return client?.status.state === 'connected' ? { tools: client.tools } : {}
  }
}

function described(server: AgentServer, cwd: string): Pick<PolicyView, 'policy' | 'pin'> {
  const { config, mode, defaultToolConfig, include, toolAllowlist, toolDenylist, trusted } = server
  return {
    policy: { mode, trusted, ...defined({ defaultToolConfig, include, toolAllowlist, toolDenylist }) },
    pin: toServerPin(serverIdentity(config, undefined, cwd)),
  }
}
