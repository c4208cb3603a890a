import { OstlerError } from '../base/errors.ts'
import type { Tool } from '../messages/tool.ts'
import { toStrictViolation } from './strict-violation.ts'
import {
  mergeToolConfig,
  type ConfiguredTool,
  type EffectiveToolConfig,
  type ToolConfig,
} from './tool-config.ts'

/**
 * A tool that a program passes directly is always admitted; the agent file's settings apply. `own` are settings of the tool itself, which
 * come first.
 */
export function configOfLocalTool(
  { ref }: Pick<Tool, 'ref'>,
  configured: readonly ConfiguredTool[],
  own?: ToolConfig,
): EffectiveToolConfig {
  const index = placeOf(ref.tool, configured)
  return mergeToolConfig([
    [`tools.${ref.tool}`, own],
    [`toolbox.tools[${index}]`, configured[index]],
  ])
}

/**
 * Returns the configurations by name. A tool has no server and no defaults, so it must be configured. Throws `agent.strict_violation` for
 * those that are not.
 */
export function admitLocalTools(
  tools: readonly Pick<Tool, 'ref'>[],
  configured: readonly ConfiguredTool[],
): ReadonlyMap<string, EffectiveToolConfig> {
  const names = tools.map(({ ref }) => ref.tool)
  const missing = names.filter((name) => placeOf(name, configured) === -1)
  const violation = toStrictViolation({
    names: missing,
    configured,
    otherWay:
      "Remove the module that exports it from localTools, or, in a program, pass its tools with mode 'open'",
  })
  if (violation !== undefined) throw new OstlerError('agent.strict_violation', violation.message)
  return new Map(tools.map((tool) => [tool.ref.tool, configOfLocalTool(tool, configured)]))
}

/** Tools that a program passes. Each must be in `toolbox.tools`, unless the mode is `open`. */
export type LocalTools =
  | readonly Tool[]
  | { readonly mode: 'strict' | 'open'; readonly tools: readonly Tool[] }

export function toolsIn(given: LocalTools): readonly Tool[] {
  return 'mode' in given ? given.tools : given
}

/** Throws `agent.strict_violation` for tools that are not configured. */
export function localToolsOf(given: LocalTools, configured: readonly ConfiguredTool[]): readonly Tool[] {
  const tools = toolsIn(given)
  if (!('mode' in given) || given.mode === 'strict') admitLocalTools(tools, configured)
  return tools
}

function placeOf(name: string, configured: readonly ConfiguredTool[]): number {
  return configured.findIndex((tool) => tool.name === name && tool.server === undefined)
}
