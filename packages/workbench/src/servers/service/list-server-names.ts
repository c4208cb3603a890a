import { loadAgentFile, type Environment, openStoredState } from '@ostler/agent-api/internal'

interface ServerNamesOptions {
  readonly file?: string
  readonly env: Environment
  readonly stateDir: string | undefined
}

/** Names for completion. Makes no request and reads no secret. A source that cannot be read yields no names. */
export async function listServerNames({
  file,
  env,
  stateDir,
}: ServerNamesOptions): Promise<readonly string[]> {
  const own = await loadAgentFile(file, env).then(
    (loaded) => Object.keys(loaded.file.mcpServers),
    () => [],
  )
  return [...new Set([...own, ...storedNames(stateDir)])]
}

function storedNames(stateDir: string | undefined): readonly string[] {
  using state = stateDir === undefined ? undefined : openStoredState({ stateDir })
  return state?.servers.list().map(({ name }) => name) ?? []
}
