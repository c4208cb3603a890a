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

/** The field in which Ostler has another program's list. Undefined for any other field. */
export function ownListFor(field: string): 'toolAllowlist' | 'toolDenylist' | undefined {
  if (denyLists.has(field)) return 'toolDenylist'
  return allowLists.has(field) ? 'toolAllowlist' : undefined
}

/** True for a list that changes nothing: it chooses all tools, or leaves out none. */
export function filtersNothing(field: string, value: unknown): boolean {
  if (!Array.isArray(value)) return false
  // An empty list chooses all tools.
  if (field === 'available_tools') return value.length === 0
  if (field === 'tools') return value.length === 1 && value[0] === '*'
  return denyLists.has(field) && value.length === 0
}
