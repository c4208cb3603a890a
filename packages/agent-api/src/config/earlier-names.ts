import { isRecord } from '../base/is-record.ts'
import type { ConfigPath } from './config-path.ts'

/** The fields below `myai` in the earlier design, and their names in the agent file. NAME stands for the name of a server. */
export const earlierNames: Readonly<Record<string, string>> = {
  'toolbox.max_concurrent': 'toolbox.maxConcurrent',
  'toolbox.tools[].name': 'toolbox.tools[].name',
  'toolbox.tools[].max_instances': 'toolbox.tools[].maxInstances',
  'toolbox.tools[].timeout': 'toolbox.tools[].timeout',
  'toolbox.tools[].mode': 'toolbox.tools[].mode',
  'toolbox.mcps[].name': 'mcpServers.NAME',
  'toolbox.mcps[].url': 'mcpServers.NAME.url',
  'toolbox.mcps[].transport': 'mcpServers.NAME.type (streamable_http is http)',
  'toolbox.mcps[].mode': 'mcpServers.NAME.mode',
  'toolbox.mcps[].default_tool_config': 'mcpServers.NAME.defaultToolConfig',
  'toolbox.mcps[].default_tool_config.max_instances': 'mcpServers.NAME.defaultToolConfig.maxInstances',
  'toolbox.mcps[].default_tool_config.timeout': 'mcpServers.NAME.defaultToolConfig.timeout',
  'toolbox.mcps[].tool_allowlist': 'mcpServers.NAME.toolAllowlist',
  'toolbox.mcps[].tool_denylist': 'mcpServers.NAME.toolDenylist',
  'toolbox.mcps[].prompts': 'mcpServers.NAME.prompts',
}

interface Replacement {
  readonly path: ConfigPath
  readonly message: string
}

/** Undefined for any other path. */
export function insteadOfEarlier(
  path: ConfigPath,
  value: unknown,
  server = 'NAME',
): Replacement[] | undefined {
  if (path[0] !== 'myai' && (path[0] !== 'toolbox' || path[1] !== 'mcps')) return undefined
  const fields = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  const name = isRecord(value) && typeof value['name'] === 'string' ? value['name'] : server
  // Names in a list are not fields.
  const inside = fields.flatMap(([key, each]) =>
    typeof key === 'number' && !isRecord(each) ? [] : (insteadOfEarlier([...path, key], each, name) ?? []),
  )
  const field = (path[0] === 'myai' ? path.slice(1) : path)
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
  const now = Object.hasOwn(earlierNames, field.slice(1)) ? earlierNames[field.slice(1)] : undefined
  if (now !== undefined)
    return [
      { path, message: `is a name of an earlier design; write ${now.replace('NAME', () => name)}` },
      ...inside,
    ]
  return inside.length > 0 ? inside : [{ path, message: 'unknown field' }]
}
