import { OstlerError, type McpServerConfig } from '@ostler/agent-api'
import { learnPaths, toSandbox, type ClientOpener, type OwnPlaces } from '@ostler/agent-api/internal'
import type { LearnedSandbox } from '../server-service.ts'

/** Throws `servers.no_sandbox` for a remote server, and `fence.unavailable`. */
export async function learnSandbox(
  config: McpServerConfig,
  { openClient, cwd, own }: { openClient: ClientOpener; cwd: string; own: OwnPlaces },
  signal: AbortSignal,
): Promise<LearnedSandbox> {
  if (config.type !== 'stdio')
    throw new OstlerError('servers.no_sandbox', 'Only a local server has a sandbox.')
  const { level, hosts = [], paths = [] } = toSandbox(config.sandbox ?? 'off')
  const wanted = new Set<string>()
  await using client = openClient({
    // Outside of a sandbox, nothing would be refused.
    config: { ...config, sandbox: { level: 'required', hosts, paths }, retryAttempts: 0 },
    host: {
      cwd,
      roots: [],
      async askHost({ host }) {
        // As a setting, it would be a pattern for other hosts.
        if (!host.includes('*')) wanted.add(host)
        return false
      },
    },
    startsOnUse: true,
  })
  const failure = await client.use({ signal }).then(
    () => undefined,
    (error: OstlerError) => error,
  )
  if (failure !== undefined && (signal.aborted || !failure.code.startsWith('mcp.'))) throw failure
  const lines = [
    ...client.serverLog.stderr().map(({ text }) => text),
    ...(failure?.message.split('\n') ?? []),
  ]
  const writable = [...paths, config.cwd ?? '']
  const added = { hosts: [...wanted], paths: await learnPaths(lines, { ...own, writable }) }
  return {
    reason: failure?.message.split('\n')[0],
    ...added,
    sandbox: {
      level: level === 'off' ? 'on' : level,
      hosts: [...hosts, ...added.hosts],
      paths: [...paths, ...added.paths],
    },
  }
}
