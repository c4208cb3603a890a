import { loadAgentFile } from '../config/agent-file.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { openStoredHistory } from '../history/open-history.ts'
import { listServers } from '../history/servers.ts'

export interface ServerNamesOptions {
  readonly file?: string
  readonly env: Environment
  readonly stateDir: string | undefined
}

/** For someone who is about to type one: nothing is asked, no secret is touched, and what cannot be read has none. */
export async function listServerNames({ file, env, stateDir }: ServerNamesOptions): Promise<readonly string[]> {
  const own = await loadAgentFile(file, env).then(
    (loaded) => Object.keys(loaded.file.mcpServers),
    () => [],
  )
  return [...new Set([...own, ...storedNames(stateDir)])]
}

function storedNames(stateDir: string | undefined): readonly string[] {
  const history = stateDir === undefined ? undefined : openStoredHistory({ stateDir })
  try {
    return history?.journal.read(listServers).map(({ name }) => name) ?? []
  } finally {
    history?.[Symbol.dispose]()
  }
}
