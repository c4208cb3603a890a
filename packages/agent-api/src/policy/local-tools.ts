import { OstlerError } from '../base/errors.ts'
import type { Tool } from '../messages/tool.ts'
import { builtinSettingsOf, type BuiltinSettings } from './builtin-tools.ts'
import { mergeToolConfig, type ConfiguredTool, type EffectiveToolConfig } from './tool-config.ts'

/** The local tools that may be used, by name, and one message for each that is not configured. */
export interface LocalRegistration {
  readonly tools: ReadonlyMap<string, EffectiveToolConfig>
  readonly violations: readonly string[]
}

/** A tool that a program passes directly is always admitted; the agent file's settings apply. */
export function configOfLocalTool({ ref }: Tool, configured: readonly ConfiguredTool[]): EffectiveToolConfig {
  const index = configured.findIndex((tool) => tool.name === ref.tool && tool.server === undefined)
  return mergeToolConfig([[`toolbox.tools[${index}]`, configured[index]]])
}

/** The settings of the tool itself come before those of all tools of its name. */
export function configOfBuiltinTool(name: string, configured: readonly ConfiguredTool[], settings: BuiltinSettings): EffectiveToolConfig {
  const index = configured.findIndex((tool) => tool.name === name && tool.server === undefined)
  return mergeToolConfig([
    [`tools.${name}`, builtinSettingsOf(settings, name)],
    [`toolbox.tools[${index}]`, configured[index]],
  ])
}

/** A tool of a module has no server and no defaults, so it must be configured. */
export function registerLocalTools(offered: readonly string[], configured: readonly ConfiguredTool[]): LocalRegistration {
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
export function admitLocalTools(tools: readonly Tool[], configured: readonly ConfiguredTool[]): LocalRegistration['tools'] {
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
