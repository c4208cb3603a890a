import { suggestFor } from '../base/did-you-mean.ts'
import type { LogLevel } from '../base/logger.ts'
import { matchesName } from '../policy/matches-name.ts'
import { toStrictViolation, type StrictViolation } from '../policy/strict-violation.ts'
import {
  mergeToolConfig,
  type ConfiguredTool,
  type ConfigLayer,
  type EffectiveToolConfig,
  type ServerPolicy,
} from '../policy/tool-config.ts'

interface AdmissionNote {
  readonly level: Exclude<LogLevel, 'error'>
  readonly message: string
}

interface Admission {
  readonly tools: ReadonlyMap<string, EffectiveToolConfig>
  readonly notes: readonly AdmissionNote[]
  /** The tools that prevent the agent from starting. Only the first look at a server reports any. */
  readonly violation: StrictViolation | undefined
}

export interface AdmissionRequest {
  readonly server: string
  readonly origin: string
  readonly policy: ServerPolicy
  readonly offered: readonly string[]
  readonly configured: readonly ConfiguredTool[]
  /** The names offered last time. Undefined at the first look. */
  readonly before?: ReadonlySet<string>
}

/**
 * Decides which of a server's tools are admitted, and with which configuration. Pure, so `ostler check` and a running agent get the same
 * result.
 */
export function toAdmission(request: AdmissionRequest): Admission {
  const { server, origin, policy, offered, before } = request
  const tools = new Map<string, EffectiveToolConfig>()
  const notes: AdmissionNote[] = []
  const unlisted: string[] = []
  const note = (level: AdmissionNote['level'], message: string) => notes.push({ level, message })
  const entries = entriesByName(request)

  if (offered.length === 0) note('warn', `MCP server '${server}' at ${origin} returned no tools`)
  for (const name of offered) {
    const explicit = layersFor(server, entries.get(name) ?? [])
    const list = leavingOut(policy, name)
    if (list !== undefined) {
      if (before?.has(name) !== true)
        note(
          explicit.some(([, { server: own }]) => own === server) ? 'warn' : 'info',
          `Tool '${name}' of MCP server '${server}' is left out by ${list}`,
        )
      continue
    }
    const isNew = before !== undefined && !before.has(name)
    if (explicit.length === 0 && policy.mode === 'strict') {
      if (before === undefined) unlisted.push(name)
      else if (isNew)
        note(
          'warn',
          `New tool '${name}' discovered from MCP server '${server}' is not configured in the toolbox; left out, because the server is strict`,
        )
      continue
    }
    if (explicit.length === 0) {
      note(
        'info',
        isNew
          ? `New tool '${name}' discovered from MCP server '${server}', registering with default configuration`
          : `Tool '${name}' from MCP '${server}' not explicitly configured, using default configuration`,
      )
    }
    const mode = explicit.find(([, tool]) => tool.mode !== undefined)?.[1].mode ?? policy.mode
    const config = mergeToolConfig([...explicit, ...defaultLayers(server, { ...policy, mode })])
    if (explicit.length > 0) note('debug', explicitMessage(name, explicit, { ...policy, mode }, config))
    tools.set(name, config)
  }
  if (before === undefined) for (const message of unusedPatterns(request)) note('warn', message)
  const missing = missingTools(request)
  for (const name of missing) {
    const suggestion = before === undefined ? suggestFor(name, missing, offered) : ''
    note(
      'warn',
      `Tool '${name}' was configured but is no longer available from MCP server '${server}'${suggestion}`,
    )
  }
  const otherWay = "Change the MCP server mode to 'dynamic' and provide defaultToolConfig"
  return {
    tools,
    notes,
    violation: toStrictViolation({ server, names: unlisted, configured: request.configured, otherWay }),
  }
}

/** The list that leaves out a tool, if any. */
export function leavingOut(
  { toolAllowlist, toolDenylist = [] }: ServerPolicy,
  name: string,
): string | undefined {
  const isIn = (list: readonly string[]) => list.some((pattern) => matchesName(pattern, name))
  if (isIn(toolDenylist)) return 'toolDenylist'
  return toolAllowlist === undefined || isIn(toolAllowlist) ? undefined : 'toolAllowlist'
}

/** Explains to a person why a tool is not admitted. */
export function leftOutReason(policy: ServerPolicy, name: string): string {
  const list = leavingOut(policy, name)
  return list === undefined
    ? 'the server is strict and toolbox.tools does not have it'
    : `left out by ${list}`
}

/** A misspelled name in a list would admit a tool that it is meant to leave out. */
export function unusedPatterns({
  server,
  policy,
  offered,
}: Pick<AdmissionRequest, 'server' | 'policy' | 'offered'>): string[] {
  const { toolAllowlist = [], toolDenylist = [] } = policy
  const unused = Object.entries({ toolAllowlist, toolDenylist }).flatMap(([list, patterns]) =>
    patterns.flatMap((pattern) =>
      offered.some((name) => matchesName(pattern, name)) ? [] : { list, pattern },
    ),
  )
  return unused.map(
    ({ list, pattern }) =>
      `${list} of MCP server '${server}' has '${pattern}', which matches none of its tools${suggestFor(pattern, unused, offered)}`,
  )
}

type Entry = readonly [source: string, tool: ConfiguredTool]

function entriesByName({ configured }: AdmissionRequest): ReadonlyMap<string, readonly Entry[]> {
  const entries = configured.map((tool, index): Entry => [`toolbox.tools[${index}]`, tool])
  return Map.groupBy(entries, ([, tool]) => tool.name)
}

/** An entry that names the server takes precedence over one that does not. */
function layersFor(server: string, entries: readonly Entry[]): readonly Entry[] {
  const entriesOf = (owner: string | undefined) => entries.filter(([, tool]) => tool.server === owner)
  return [...entriesOf(server), ...entriesOf(undefined)]
}

function defaultLayers(server: string, { mode, defaultToolConfig, include }: ServerPolicy): ConfigLayer[] {
  return [
    // In strict mode, there are no tools without an entry.
    [`mcpServers.${server}.defaultToolConfig`, mode === 'dynamic' ? defaultToolConfig : undefined],
    [`mcpServers.${server}.include`, { include }],
  ]
}

/** Tools that are missing now: configured for this server, or configured and offered last time. */
function missingTools({ server, configured, offered, before }: AdmissionRequest): string[] {
  const expected = configured.filter(
    (tool) => tool.server === server || (tool.server === undefined && before?.has(tool.name) === true),
  )
  const there = new Set(offered)
  return [...new Set(expected.map((tool) => tool.name))].filter((name) => !there.has(name))
}

function explicitMessage(
  name: string,
  explicit: readonly ConfigLayer[],
  policy: ServerPolicy,
  config: EffectiveToolConfig,
): string {
  const final = describeConfig(config)
  if (policy.mode === 'strict') return `Tool '${name}' registered with explicit configuration: ${final}`
  const own = JSON.stringify(explicit.map(([, layer]) => layer))
  return `Tool '${name}' configuration merged: explicit=${own}, default=${JSON.stringify(policy.defaultToolConfig ?? {})}, final=${final}`
}

function describeConfig({ maxInstances, timeoutMs }: EffectiveToolConfig): string {
  return JSON.stringify({ maxInstances: maxInstances.value, timeoutMs: timeoutMs.value })
}
