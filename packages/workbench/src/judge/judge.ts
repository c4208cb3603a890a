import type { ToolRef } from '@ostler/agent-api'
import {
  type ToolDefinition,
  type AgentFile,
  toBuiltinSettings,
  toAgentServer,
  toConfiguredTools,
  toToolConfig,
  decide,
  type CallFacts,
  type Grant,
  builtinEffects,
  builtinSettingsOf,
  isBuiltin,
  configOfBuiltinTool,
  toPin,
  toServerPin,
  type Pin,
  type ServerPin,
  type Rule,
  type EffectiveToolConfig,
  type ServerPolicy,
  type ToolApproval,
  leavingOut,
  toAdmission,
  useOfStoredServer,
} from '@ostler/agent-api/internal'

/** `off`: the model does not get the tool. */
export interface Outcome {
  readonly verdict: 'allow' | 'ask' | 'deny' | 'off'
  readonly rule: Rule
  /** The setting behind the rule: `toolbox.tools[2]`. */
  readonly source?: string
  /** Since the grant that would otherwise allow the call. */
  readonly changes?: readonly string[]
}

/** The policy of a server of the agent file is taken from the file. */
export interface JudgedServer {
  readonly name: string
  readonly origin: 'file' | 'stored' | 'session'
  readonly enabled: boolean
  readonly policy?: ServerPolicy & { readonly trusted?: boolean | undefined }
  /** Undefined if the server cannot be identified: then no grant is known to fit. */
  readonly pin?: ServerPin
}

export interface JudgedTool {
  readonly ref: ToolRef
  /** Undefined for a built-in tool. */
  readonly server?: JudgedServer
  /** Undefined for a tool that is known by its name only. Its grants are then taken to fit. */
  readonly definition?: ToolDefinition & { readonly name: string }
}

/** Applies the gate's rules with the settings of one version of an agent file. Pure. */
export interface Judge {
  /** `plan` is what a call of a built-in tool does; without one, its usual effect. */
  (tool: JudgedTool, plan?: CallFacts['plan']): Outcome
}

export function createJudge(file: AgentFile, grants: readonly Grant[]): Judge {
  const configured = toConfiguredTools(file)
  const builtin = toBuiltinSettings(file)
  const own = Map.groupBy(grants, ({ ref }) => keyOf(ref))
  const policies = new Map<JudgedServer, KnownPolicy | Rule>()

  return (tool, plan) => {
    const { ref, server } = tool
    if (server !== undefined) return judgeOfServer(tool, server)
    const name = ref.tool
    if (!isBuiltin(name)) return { verdict: 'off', rule: { by: 'unknown' } }
    if (builtinSettingsOf(builtin, name)?.enabled === false)
      return { verdict: 'off', rule: { by: 'tools' }, source: `tools.${name}` }
    const config = configOfBuiltinTool(name, configured, builtin)
    return judge(tool, config, { plan: plan ?? { effect: builtinEffects[name] } })
  }

  function judgeOfServer(tool: JudgedTool, server: JudgedServer): Outcome {
    const known = policies.get(server) ?? policyOf(server, file)
    policies.set(server, known)
    if ('by' in known) return { verdict: 'off', rule: known }
    // Each tool is admitted on its own.
    const { tools } = toAdmission({
      server: server.name,
      origin: '',
      policy: known.policy,
      offered: [tool.ref.tool],
      configured,
      before: none,
    })
    const config = tools.get(tool.ref.tool)
    if (config === undefined)
      return {
        verdict: 'off',
        rule: { by: 'server', how: leavingOut(known.policy, tool.ref.tool) ? 'lists' : 'strict' },
      }
    const { approval, trusted } = known
    return judge(tool, config, {
      approval,
      isTrustedRead: trusted && tool.definition?.annotations?.readOnlyHint === true,
    })
  }

  function judge(tool: JudgedTool, config: EffectiveToolConfig, facts: Partial<CallFacts>): Outcome {
    const given = own.get(keyOf(tool.ref)) ?? []
    const decision = decide(
      { ...file.approval, grants: given },
      {
        ref: tool.ref,
        pin: given.length === 0 ? noPin : pinOfTool(tool, given),
        isInternal: false,
        isTrustedRead: false,
        ...facts,
        approval: config.approval?.value ?? facts.approval,
      },
    )
    const { verdict, rule } = decision
    return {
      verdict,
      rule,
      source: rule.by === 'tool' ? (config.approval?.source ?? 'sessionServers.approval') : undefined,
      changes: decision.verdict === 'ask' ? decision.changes : undefined,
    }
  }
}

interface KnownPolicy {
  readonly policy: ServerPolicy
  readonly trusted: boolean
  readonly approval?: ToolApproval | undefined
}

function policyOf(server: JudgedServer, file: AgentFile): KnownPolicy | Rule {
  const { name, origin, policy = { mode: 'dynamic' as const } } = server
  if (origin === 'session') {
    const { mode, approval, defaultToolConfig } = file.sessionServers
    return {
      policy: { mode, defaultToolConfig: defaultToolConfig && toToolConfig(defaultToolConfig) },
      approval,
      trusted: false,
    }
  }
  if (origin === 'stored') {
    const use = useOfStoredServer(server, {
      choice: file.storedServers,
      fileServers: Object.keys(file.mcpServers),
    })
    return use === 'used' ? { policy, trusted: policy.trusted === true } : { by: 'server', how: use }
  }
  const entry = file.mcpServers[name]
  if (entry === undefined || !entry.enabled) return { by: 'server', how: 'disabled' }
  const agentServer = toAgentServer(name, entry)
  return { policy: agentServer, trusted: agentServer.trusted === true }
}

const localPin = toServerPin({ type: 'local' })
const none: ReadonlySet<string> = new Set()
const noPin: Pin = { definition: '', identity: '', parts: {} }

/** The pin that a grant for the tool would need. */
export function pinOfTool({ server, definition }: JudgedTool, grants: readonly Grant[]): Pin {
  if (definition === undefined) return grants.at(-1)?.pin ?? noPin
  if (server === undefined) return toPin(definition, localPin)
  const { pin = { identity: '', parts: {} } } = server
  // Only the hash is known for a server that another process has open. An equal hash means the same server.
  const same = grants.find((grant) => grant.pin.identity === pin.identity)
  return toPin(definition, {
    identity: pin.identity,
    parts: Object.keys(pin.parts).length === 0 ? (same?.pin.parts ?? {}) : pin.parts,
  })
}

export function keyOf({ server, tool }: ToolRef): string {
  return JSON.stringify([server, tool])
}
