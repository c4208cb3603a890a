import type { ConfigPath } from './config-document.ts'

/** Lists with which other programs choose a server's tools. */
const allowLists: ReadonlySet<string> = new Set([
  'tools',
  'includeTools',
  'enabledTools',
  'enabled_tools',
  'allowedTools',
  'allowed_tools',
  'available_tools',
])
const denyLists: ReadonlySet<string> = new Set([
  'disabledTools',
  'disabled_tools',
  'excludeTools',
  'excludedTools',
  'disallowedTools',
  'deniedTools',
])

export function isToolFilter(field: string): boolean {
  return allowLists.has(field) || denyLists.has(field)
}

/** True for a list that changes nothing: it chooses all tools, or leaves out none. */
export function filtersNothing(field: string, value: unknown): boolean {
  if (!Array.isArray(value)) return false
  // An empty list chooses all tools.
  if (field === 'available_tools') return value.length === 0
  if (field === 'tools') return value.length === 1 && value[0] === '*'
  return denyLists.has(field) && value.length === 0
}

/** The advice for another program's list of tools. Undefined for any other field. */
export function insteadOfFilter([section, , field]: ConfigPath): string | undefined {
  if (section !== 'mcpServers' || typeof field !== 'string') return undefined
  const own = denyLists.has(field) ? 'toolDenylist' : allowLists.has(field) ? 'toolAllowlist' : undefined
  return own && `this list belongs to another program. Instead, write its names in ${own}`
}
