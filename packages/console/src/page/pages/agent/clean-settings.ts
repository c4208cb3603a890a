import type { AgentSettings } from '../../../api.ts'

/** The settings without the empty lines that a person leaves while typing. */
export function cleanSettings(settings: AgentSettings): AgentSettings {
  const tools = Object.entries(settings.tools).map(([name, { keepVariables, privateHosts, ...rest }]) => {
    const lists = { keepVariables: filled(keepVariables), privateHosts: filled(privateHosts) }
    return [name, { ...rest, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) }]
  })
  return { ...settings, tools: Object.fromEntries(tools) as AgentSettings['tools'] }
}

function filled(lines: readonly string[] = []): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
