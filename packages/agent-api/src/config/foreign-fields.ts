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
