import type { CallFacts } from '../policy/approval.ts'
import { pinOf } from '../policy/always-allow/definition-pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { ToolApproval } from '../policy/tool-config.ts'
import type { OfferedTool } from './offered-tool.ts'

interface CallContext {
  readonly cwd?: string
  readonly approval?: ToolApproval | undefined
  /** True if the agent file trusts what the server says about its tools. */
  readonly isTrusted?: boolean
}

export function factsOf(
  { tool, config, home }: OfferedTool,
  { cwd, approval, isTrusted = false }: CallContext = {},
): CallFacts {
  const identity =
    home.type === 'local'
      ? { type: 'local' as const }
      : serverIdentity(home.client.config, home.owner === 'agent' ? undefined : cwd)
  return {
    ref: tool.ref,
    pin: pinOf(tool, identity),
    definition: tool,
    approval: config.approval?.value ?? approval,
    isInternal: tool.isInternal === true,
    isTrustedRead: isTrusted && tool.annotations?.readOnlyHint === true,
  }
}
