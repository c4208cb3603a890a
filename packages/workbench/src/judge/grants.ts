import type { ToolRef } from '@ostler/agent-api'
import {
  definitionDiff,
  definitionText,
  type GrantStore,
  type StoredGrant,
  describePin,
  describePinChange,
  isSamePin,
  shownLimit,
  agentName,
  loadAgentFile,
  processEnvironment,
  type Environment,
  openStoredState,
} from '@ostler/agent-api/internal'
import { pinOfTool, type JudgedTool } from './judge.ts'

export interface GrantView extends ToolRef {
  readonly id: number
  readonly verdict: 'allow' | 'deny'
  readonly createdAt: string
  /** A command or a host, in words. */
  readonly limit?: string
  /** After any change, an "allow" is no longer valid. Unset if the tool is not known now. */
  readonly changes?: readonly string[]
  readonly boundTo: Readonly<Record<string, string>>
}

/** `tools` are all tools of this name: several sessions may have a server of the same name. The grant holds if it fits one of them. */
export function describeGrant(grant: StoredGrant, tools: readonly JudgedTool[]): GrantView {
  const { id, verdict, ref, createdAt, pin } = grant
  return {
    id,
    verdict,
    ...ref,
    createdAt,
    limit: shownLimit(grant),
    changes: changesOf(grant, tools),
    boundTo: describePin(pin),
  }
}

function changesOf(grant: StoredGrant, tools: readonly JudgedTool[]): readonly string[] | undefined {
  const known = tools.filter(({ definition }) => definition !== undefined)
  const pins = known.map((tool) => pinOfTool(tool, [grant]))
  if (pins.some((pin) => isSamePin(pin, grant.pin))) return []
  const [now] = pins
  if (now === undefined) return undefined
  // The parts are not known for a server that another process has open.
  const changed = describePinChange(grant.pin, { ...now, parts: { ...grant.pin.parts, ...now.parts } })
  return changed.length > 0 ? changed : ['its server']
}

/** Null if the earlier definition was not kept. */
export function grantDifference(
  grant: StoredGrant,
  tools: readonly JudgedTool[],
  grants: Pick<GrantStore, 'definitionOf'>,
): string | null {
  const definition = tools.find((tool) => tool.definition !== undefined)?.definition
  const before = grants.definitionOf(grant.id)
  return before === undefined || definition === undefined
    ? null
    : definitionDiff(before, definitionText(definition))
}

interface OpenGrantsOptions {
  /** Without one, the built-in agent with environment overrides counts. */
  readonly file?: string
  readonly env?: Environment
  readonly stateDir: string
}

/** Running agents share them and see every change. */
export interface Grants extends Pick<GrantStore, 'list' | 'revoke'>, Disposable {
  readonly agent: string
}

/** Creates nothing: without stored state, there are no grants. */
export async function openGrants({
  file: path,
  env = processEnvironment(),
  stateDir,
}: OpenGrantsOptions): Promise<Grants> {
  const { file } = await loadAgentFile(path, env)
  const agent = agentName(file.name)
  const state = openStoredState({ stateDir })
  if (state === undefined)
    return { agent, list: () => [], revoke: () => Promise.resolve(false), [Symbol.dispose]() {} }
  const { list, revoke } = state.servers.grants(agent)
  return { agent, list, revoke, [Symbol.dispose]: () => state[Symbol.dispose]() }
}
