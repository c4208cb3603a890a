const permission = 'approval and toolbox.tools say which tools may run'
const connectTime = 'timeout is the time for connecting, such as 30s'
const unknown = 'it belongs to another program'

/** Fields with which other programs run tools without a question. Ignoring one means more questions, never fewer. */
export const permissionFields: ReadonlyMap<string, string> = new Map(
  ['autoApprove', 'alwaysAllow', 'trust'].map((field) => [field, permission]),
)

const descriptive = [
  'author',
  'category',
  'displayName',
  'gallery',
  'homepage',
  'icon',
  'iconPath',
  'label',
  'license',
  'name',
  'tags',
]
const comments = ['//', '$comment', '_comment', 'comment']
const unread = [...descriptive, ...comments, 'title', 'version', 'autoStart', 'dev', 'source', 'watchPaths']

/** Fields of other programs that do not restrict anything, with the reason why they have no effect. */
export const foreignFields: ReadonlyMap<string, string> = new Map([
  ...permissionFields,
  ['envFile', 'the file is not read. Write its variables in env'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'initTimeout'].map(
    (field) => [field, connectTime] as const,
  ),
  ['tool_timeout_sec', 'defaultToolConfig.timeout is the time for a call, such as 60s'],
  ...unread.map((field) => [field, unknown] as const),
])

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
