import type { LiveServer } from '@ostler/agent-api/internal'
import type { PolicyView, ServerService, ServerView } from '@ostler/workbench'

type Named = Pick<ServerView, 'name' | 'origin' | 'transport'>
type Running = Pick<LiveServer, 'agent' | 'owner' | 'name' | 'transport' | 'identity'>

/** Finds the server that an agent has open because it is its own: a stored one, or one of the file of this console's agent. */
export type FindOwnServer = <T extends Named>(running: Running, servers: readonly T[]) => T | undefined

/**
 * Two servers may have the same name, because the file overrides a stored server. An agent that was started before the file changed still
 * uses the other one, so the identities decide between them.
 */
export function createFindOwnServer(
  agent: string,
  policies: readonly Pick<PolicyView, 'name' | 'origin' | 'pin'>[],
): FindOwnServer {
  return (running, servers) => {
    // Another agent has another file.
    const isCandidate = ({ name, origin, transport }: Named) =>
      name === running.name &&
      transport === running.transport &&
      (origin === 'stored' || running.agent === agent)
    const found = running.owner === 'agent' ? servers.filter(isCandidate) : []
    const identityOf = ({ name, origin }: Named) =>
      policies.find((one) => one.name === name && one.origin === origin)?.pin?.identity
    const isSame = (server: Named) =>
      running.identity !== undefined && identityOf(server) === running.identity
    return found.find(isSame) ?? found.find(({ origin }) => origin === 'file') ?? found[0]
  }
}

/** The identities are worked out only if a name is used twice. */
export async function openFindOwnServer(
  service: ServerService,
  agent: string,
  servers: readonly ServerView[],
): Promise<FindOwnServer> {
  return createFindOwnServer(
    agent,
    servers.some(({ shadowed }) => shadowed) ? await service.listPolicies() : [],
  )
}
