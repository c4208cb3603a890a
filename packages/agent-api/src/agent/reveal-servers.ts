import { loadAgentFile } from '../config/agent-file.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { openStoredHistory } from '../history/open-history.ts'
import { listServers } from '../history/servers.ts'
import { unsealSecrets } from '../secret-store/seal-secrets.ts'
import { createServerSecrets } from '../servers/stored/server-secrets.ts'
import type { ServerEntryInput, ServerId } from '../servers/server-service.ts'
import { fileServerId } from '../servers/service/server-view.ts'

export interface RevealServersOptions {
  readonly file?: string
  readonly env: Environment
  readonly stateDir: string
}

/** Returns the entries of all servers with their secrets, for export. Throws if one cannot be read. */
export async function revealServers({ file: path, env, stateDir }: RevealServersOptions): Promise<ReadonlyMap<ServerId, ServerEntryInput>> {
  const { file } = await loadAgentFile(path, env)
  const entries = new Map<ServerId, ServerEntryInput>(Object.entries(file.mcpServers).map(([name, entry]) => [fileServerId(name), entry]))
  using history = openStoredHistory({ stateDir })
  const secrets = createServerSecrets({ stateDir })
  for (const { id, config, secretStore, enabled } of history?.journal.read(listServers) ?? []) {
    entries.set(id, { ...unsealSecrets(config, await secrets.read(id, secretStore)), enabled })
  }
  return entries
}
