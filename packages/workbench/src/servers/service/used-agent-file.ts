import { isDeepStrictEqual } from 'node:util'
import { type Redactor, OstlerError, type AgentServer } from '@ostler/agent-api'
import {
  type AgentFile,
  loadAgentFile,
  type LoadedAgentFile,
  type Environment,
  toConfiguredTools,
  type ConfiguredTool,
  type ServerEntry,
  toAgentServer,
} from '@ostler/agent-api/internal'
import { knownSecrets } from '../../agent-file/known-secrets.ts'
import type { ServerId } from '../server-service.ts'
import { fileServerId, isFileServerId } from './server-view.ts'

/** The agent file that a service uses now. */
export async function openUsedAgentFile(path: string | undefined, env: Environment, redactor: Redactor) {
  let now = await load(path)

  async function load(from: string | undefined) {
    const loaded = await loadAgentFile(from, env)
    const { file } = loaded
    for (const secret of knownSecrets(file, env)) redactor.add(secret)
    return { path: from, file, servers: toFileServers(loaded), configured: toConfiguredTools(file) }
  }

  return {
    get path(): string | undefined {
      return now.path
    },
    get file(): AgentFile {
      return now.file
    },
    get servers(): FileServers {
      return now.servers
    },
    get configured(): readonly ConfiguredTool[] {
      return now.configured
    },
    /** Returns the ids of servers that have changed or are gone. Throws `config.*`. */
    async use(from: string | undefined): Promise<readonly ServerId[]> {
      const before = now
      now = await load(from)
      const isSame = (id: ServerId) =>
        isDeepStrictEqual(before.servers.find(id)?.entry, now.servers.find(id)?.entry)
      return before.servers.all.map(({ id }) => id).filter((id) => !isSame(id))
    },
  }
}

interface FileServer {
  readonly id: ServerId
  readonly name: string
  readonly entry: ServerEntry
  readonly server: AgentServer
}

/** A person can look at them and connect them, but not change them. */
export interface FileServers {
  readonly all: readonly FileServer[]
  readonly names: readonly string[]
  find(idOrName: string): FileServer | undefined
}

function toFileServers({ file, writtenServers }: LoadedAgentFile): FileServers {
  const all = Object.entries(file.mcpServers).map(([name, entry]) => ({
    id: fileServerId(name),
    name,
    entry,
    server: toAgentServer(name, entry, writtenServers[name]),
  }))
  return {
    all,
    names: all.map(({ name }) => name),
    find: (idOrName) => all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName),
  }
}

/** Throws `servers.read_only`. */
export function refuseFileServer(id: ServerId): void {
  if (!isFileServerId(id)) return
  throw new OstlerError(
    'servers.read_only',
    `The server '${id.slice(fileServerId('').length)}' is defined in the agent file. Change it there.`,
  )
}
