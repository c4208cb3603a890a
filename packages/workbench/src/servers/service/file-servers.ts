import { OstlerError, type AgentServer } from '@ostler/agent-api'
import { type AgentFile, type ServerEntry, toAgentServer } from '@ostler/agent-api/internal'
import type { ServerId } from '../server-service.ts'
import { fileServerId, isFileServerId } from './server-view.ts'

interface FileServer {
  readonly id: ServerId
  readonly name: string
  readonly entry: ServerEntry
  readonly server: AgentServer
}

/** The servers of an agent file, which a person can look at and connect, but not change. */
export interface FileServers {
  readonly all: readonly FileServer[]
  readonly names: readonly string[]
  find(idOrName: string): FileServer | undefined
}

export function toFileServers({ mcpServers }: Pick<AgentFile, 'mcpServers'>): FileServers {
  const all = Object.entries(mcpServers).map(([name, entry]) => ({
    id: fileServerId(name),
    name,
    entry,
    server: toAgentServer(name, entry),
  }))
  return {
    all,
    names: all.map(({ name }) => name),
    find: (idOrName) => all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName),
  }
}

/** Throws `servers.read_only` for a server of the agent file. */
export function refuseFileServer(id: ServerId): void {
  if (!isFileServerId(id)) return
  throw new OstlerError(
    'servers.read_only',
    `The server '${id.slice(fileServerId('').length)}' is defined in the agent file. Change it there.`,
  )
}
