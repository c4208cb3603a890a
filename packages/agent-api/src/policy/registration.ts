import { suggest } from '../base/did-you-mean.ts'
import { OstlerError } from '../base/errors.ts'
import type { LogLevel } from '../base/logger.ts'
import type { Tool } from '../messages/tool.ts'
import { mergeToolConfig, type ConfiguredTool, type ConfigLayer, type EffectiveToolConfig, type ServerPolicy } from './tool-config.ts'

/** A log message about a server's tools. */
export interface RegistrationNote {
  readonly level: Exclude<LogLevel, 'error'>
  readonly message: string
}

export interface Registration {
  /** The admitted tools, by name. */
  readonly tools: ReadonlyMap<string, EffectiveToolConfig>
  readonly notes: readonly RegistrationNote[]
  /** Problems that prevent the agent from starting. Only the first registration of a server reports any. */
  readonly violations: readonly string[]
}

export interface RegistrationRequest {
  readonly server: string
  /** The server's URL or command line, for messages. */
  readonly origin: string
  readonly policy: ServerPolicy
  readonly offered: readonly string[]
  readonly configured: readonly ConfiguredTool[]
  /** The names offered last time. Undefined for the first registration. */
  readonly before?: ReadonlySet<string>
}

/**
 * Decides which of a server's tools are admitted, and with which configuration. Pure, so `ostler check` and a running agent get the same
 * result.
 */
export function registerTools(request: RegistrationRequest): Registration {
  const { server, origin, policy, offered, before } = request
  const tools = new Map<string, EffectiveToolConfig>()
  const notes: RegistrationNote[] = []
  const violations: string[] = []
  const note = (level: RegistrationNote['level'], message: string) => notes.push({ level, message })

  if (offered.length === 0) note('warn', `MCP server '${server}' at ${origin} returned no tools`)
  for (const name of offered) {
    const explicit = layersFor(request, name)
    const isNew = before !== undefined && !before.has(name)
    if (explicit.length === 0 && policy.mode === 'strict') {
      if (before === undefined) violations.push(strictViolation(request, name))
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
    const config = mergeToolConfig([...explicit, ...defaultLayers(server, policy)])
    if (explicit.length > 0) note('debug', explicitMessage(name, explicit, policy, config))
    tools.set(name, config)
  }
  for (const name of missingTools(request)) {
    const meant = before === undefined ? suggest(name, offered) : ''
    note('warn', `Tool '${name}' was configured but is no longer available from MCP server '${server}'${meant}`)
  }
  return { tools, notes, violations }
}

/** An entry that names the server takes precedence over one that does not. */
function layersFor({ server, configured }: RegistrationRequest, name: string): ConfigLayer[] {
  const entries = configured.map((tool, index) => ({ tool, source: `toolbox.tools[${index}]` })).filter(({ tool }) => tool.name === name)
  const own = entries.filter(({ tool }) => tool.server === server)
  const any = entries.filter(({ tool }) => tool.server === undefined)
  return [...own, ...any].map(({ tool, source }) => [source, tool])
}

function defaultLayers(server: string, { mode, defaultToolConfig, include }: ServerPolicy): ConfigLayer[] {
  return [
    // In strict mode, there are no tools without an entry.
    [`mcpServers.${server}.defaultToolConfig`, mode === 'dynamic' ? defaultToolConfig : undefined],
    [`mcpServers.${server}.include`, { include }],
  ]
}

/** Tools that are missing now: configured for this server, or configured and offered last time. */
function missingTools({ server, configured, offered, before }: RegistrationRequest): string[] {
  const expected = configured.filter((tool) => tool.server === server || (tool.server === undefined && before?.has(tool.name) === true))
  return [...new Set(expected.map((tool) => tool.name))].filter((name) => !offered.includes(name))
}

function explicitMessage(name: string, explicit: readonly ConfigLayer[], policy: ServerPolicy, config: EffectiveToolConfig): string {
  const final = describeConfig(config)
  if (policy.mode === 'strict') return `Tool '${name}' registered with explicit configuration: ${final}`
  const own = JSON.stringify(explicit.map(([, layer]) => layer))
  return `Tool '${name}' configuration merged: explicit=${own}, default=${JSON.stringify(policy.defaultToolConfig)}, final=${final}`
}

function describeConfig({ maxInstances, timeoutMs }: EffectiveToolConfig): string {
  return JSON.stringify({ maxInstances: maxInstances.value, timeoutMs: timeoutMs.value })
}

function strictViolation({ server, configured }: RegistrationRequest, name: string): string {
  return `Tool '${name}' from MCP server '${server}' is not configured in the toolbox.

MCP Server: ${server}
Mode: strict
Missing Tool: ${name}

Configured tools: [${[...new Set(configured.map((tool) => tool.name))].join(', ')}]

To resolve:
1. Add the tool to toolbox.tools in your configuration, OR
2. Change the MCP server mode to 'dynamic' and provide defaultToolConfig`
}

/** A tool that a program passes directly is always admitted; the agent file's settings apply. */
export function configOfLocalTool({ ref }: Tool, configured: readonly ConfiguredTool[]): EffectiveToolConfig {
  const index = configured.findIndex((tool) => tool.name === ref.tool && tool.server === undefined)
  return mergeToolConfig([[`toolbox.tools[${index}]`, configured[index]]])
}

/** A tool of a module has no server and no defaults, so it must be configured. */
export function registerLocalTools(
  offered: readonly string[],
  configured: readonly ConfiguredTool[],
): Pick<Registration, 'tools' | 'violations'> {
  const tools = new Map<string, EffectiveToolConfig>()
  const violations: string[] = []
  for (const name of offered) {
    const index = configured.findIndex((tool) => tool.name === name && tool.server === undefined)
    if (index === -1) violations.push(localViolation(name, configured))
    else tools.set(name, mergeToolConfig([[`toolbox.tools[${index}]`, configured[index]]]))
  }
  return { tools, violations }
}

/** Returns the configurations by name. Throws `agent.strict_violation` if a tool is not configured. */
export function admitLocalTools(tools: readonly Tool[], configured: readonly ConfiguredTool[]): Registration['tools'] {
  const registered = registerLocalTools(
    tools.map(({ ref }) => ref.tool),
    configured,
  )
  if (registered.violations.length > 0) throw new OstlerError('agent.strict_violation', registered.violations.join('\n\n'))
  return registered.tools
}

function localViolation(name: string, configured: readonly ConfiguredTool[]): string {
  return `Local tool '${name}' is not configured in the toolbox.

Mode: strict
Missing Tool: ${name}

Configured tools: [${[...new Set(configured.map((tool) => tool.name))].join(', ')}]

To resolve:
1. Add the tool to toolbox.tools in your configuration, OR
2. Remove the module that exports it from localTools, or, in a program, pass its tools with mode 'open'`
}
