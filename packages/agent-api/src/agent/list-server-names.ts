import { loadAgentFile } from '../config/agent-file.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { openStoredHistory } from '../history/open-history.ts'
import { listServers } from '../history/servers.ts'

export interface ServerNamesOptions {
  readonly file?: string
  readonly env: Environment
  readonly stateDir: string | undefined
}

/** Names for completion. Makes no request and reads no secret. A source that cannot be read yields no names. */
export async function listServerNames({ file, env, stateDir }: ServerNamesOptions): Promise<readonly string[]> {
  const own = await loadAgentFile(file, env).then(
    (loaded) => Object.keys(loaded.file.mcpServers),
    () => [],
  )
  return [...new Set([...own, ...storedNames(stateDir)])]
}

function storedNames(stateDir: string | undefined): readonly string[] {
  using history = stateDir === undefined ? undefined : openStoredHistory({ stateDir })
  return history?.journal.read(listServers).map(({ name }) => name) ?? []
}
