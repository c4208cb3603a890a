import type { McpServerConfig } from '../mcp/server-config.ts'
import { hashCanonical } from '../policy/always-allow/definition-pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { OffTools as StoredOffTools } from '../state/servers/off-tools.ts'
import type { OfferedTool, ServerHome } from '../tools/offered-tool.ts'
import { toolKey } from '../tools/select-tools.ts'

/** The tools of servers that the person has switched off in the session's folder. */
export interface OffTools {
  has(entry: OfferedTool): boolean
  /** Call before a prompt: other sessions and the console may have changed something. */
  refresh(): void
  /** Rejects if it cannot be stored. */
  set(tool: Pick<OfferedTool, 'tool'> & { readonly home: ServerHome }, isOff: boolean): Promise<void>
}

export function createOffTools(stored: StoredOffTools, cwd: string): OffTools {
  let known: ReadonlySet<string> = new Set()
  let isOutdated = true
  const identities = new WeakMap<McpServerConfig, string>()

  function idOf({ client: { config }, owner }: ServerHome): string {
    const identity =
      identities.get(config) ?? hashCanonical(serverIdentity(config, owner === 'agent' ? undefined : cwd))
    identities.set(config, identity)
    return identity
  }

  /** Stays as it was if it cannot be read. */
  function offNow(): ReadonlySet<string> {
    if (!isOutdated) return known
    isOutdated = false
    try {
      known = new Set(stored.list().map(({ identity, tool }) => `${identity} ${tool}`))
    } catch {
      // Then the next prompt tries again.
    }
    return known
  }

  return {
    has: ({ tool, home }) =>
      home.type === 'server' && offNow().size > 0 && known.has(`${idOf(home)} ${tool.ref.tool}`),
    refresh() {
      isOutdated = true
    },
    async set({ tool, home }, isOff) {
      await stored.set({ identity: idOf(home), tool: tool.ref.tool }, isOff)
      isOutdated = true
    },
  }
}

const namedMax = 5

/** For the person. Undefined if no tool is off. */
export function describeOff(
  offered: readonly OfferedTool[],
  offTools: Pick<OffTools, 'has'>,
): string | undefined {
  const keys = offered.filter((entry) => offTools.has(entry)).map(({ tool }) => toolKey(tool.ref))
  if (keys.length === 0) return undefined
  const more = keys.length > namedMax ? ` and ${keys.length - namedMax} more` : ''
  return `Switched off in this folder: ${keys.slice(0, namedMax).join(', ')}${more}. /tools on NAME switches one on.`
}
