import { defined, isRecord, parseJsonOr } from '@ostler/agent-api/browser'
import type { NewServer, SecretView, ServerIssue, ServerUpdates, ServerView } from '../../../api.ts'
import { formatArguments, parseArguments } from '../../text/argument-lines.ts'

/** The state of the server form: text as typed. The agent file's schema validates it. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly type: 'stdio' | 'http' | 'sse'
  readonly command: string
  readonly args: string
  readonly cwd: string
  readonly env: readonly Pair[]
  readonly url: string
  readonly headers: readonly Pair[]
  readonly auth: AuthDraft
  readonly allowInsecureHttp: boolean
  /** All other fields as a JSON object, or an empty text. */
  readonly others: string
}

type Entry = Record<string, unknown>

export interface Pair {
  readonly name: string
  readonly value: string
  readonly isSecret: boolean
  /** The placeholder of the stored secret. It is kept unless a new value is typed. */
  readonly kept?: string
}

interface AuthDraft {
  /** `oauth` stands for all kinds that the form does not edit. */
  readonly type: 'none' | 'bearer' | 'api-key' | 'basic' | 'oauth'
  /** The settings of a kind that the form does not edit. */
  readonly other?: Entry
  readonly header: string
  readonly username: string
  readonly secret: string
  readonly kept?: string
}

const placeholder = /\$\{secret:[^-}][^}]*\}/
/** The fields of logins that hold their secrets. */
export const authSecret = { bearer: 'token', 'api-key': 'key', basic: 'password' } as const
const editedTypes: ReadonlySet<unknown> = new Set(['none', ...Object.keys(authSecret)])
/** Each has a field of its own. A switch on the card says whether a server is enabled. */
const ownFields: ReadonlySet<string> = new Set(
  'name description type command args cwd env url headers auth allowInsecureHttp enabled'.split(' '),
)

/** The name of the field that shows the other fields. */
export const otherSettings = 'other settings'
/** The fields of a server in the agent file that the form has no field for. */
export const otherFields: readonly string[] = (
  'mode defaultToolConfig toolAllowlist toolDenylist include schemas definitionChanges required trusted timeout ' +
  'retryAttempts rateLimit prompts start idle sandbox'
).split(' ')

export const emptyDraft = toDraft({ name: '', entry: {}, transport: 'stdio' })

/** A new draft. A pasted command line or URL goes into its field; other text is dropped. */
export function startDraft(text: string): Draft {
  const line = text.trim()
  if (/^https?:\/\/\S+$/i.test(line)) return { ...emptyDraft, type: 'http', url: line }
  return line.includes('\n') || /^[{["]/.test(line) ? emptyDraft : { ...emptyDraft, command: line }
}

export function toDraft({ name, entry, transport }: Pick<ServerView, 'name' | 'entry' | 'transport'>): Draft {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const auth = record(entry['auth'])
  const others = Object.entries(entry).filter(([field]) => !ownFields.has(field))
  const isOther = !editedTypes.has(text(auth['type']) || 'none')
  const authType = (isOther ? 'oauth' : text(auth['type']) || 'none') as AuthDraft['type']
  const secret = authType === 'none' || authType === 'oauth' ? '' : text(auth[authSecret[authType]])
  return {
    name,
    description: text(entry['description']),
    type: transport,
    command: text(entry['command']),
    args: formatArguments(Array.isArray(entry['args']) ? entry['args'].map(text) : []),
    cwd: text(entry['cwd']),
    env: toPairs(record(entry['env'])),
    url: text(entry['url']),
    headers: toPairs(record(entry['headers'])),
    auth: {
      type: authType,
      other: isOther ? auth : undefined,
      header: text(auth['header']),
      username: text(auth['username']),
      ...(placeholder.test(secret) ? { secret: '', kept: secret } : { secret }),
    },
    allowInsecureHttp: entry['allowInsecureHttp'] === true,
    others: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
  }
}

/** A copy under another name. It has no secrets, because they cannot be read. */
export function toCopy(
  server: Pick<ServerView, 'name' | 'entry' | 'transport'>,
  taken: readonly string[],
): Draft {
  const without = (text: string) => text.replaceAll(new RegExp(placeholder, 'g'), '')
  const pair = ({ name, value, isSecret }: Pair): Pair => ({ name, value: without(value), isSecret })
  const { auth, ...draft } = toDraft(server)
  return {
    ...draft,
    name: freeName(server.name, taken),
    args: without(draft.args),
    url: without(draft.url),
    env: draft.env.map(pair),
    headers: draft.headers.map(pair),
    // The secrets of a kind that the form does not edit cannot be typed again.
    auth: { ...auth, type: auth.type === 'oauth' ? 'none' : auth.type, kept: undefined, other: undefined },
  }
}

export function toNewServer(draft: Draft): NewServer {
  const marked = {
    env: secretNames(draft.type === 'stdio' ? draft.env : []),
    headers: secretNames(draft.type === 'stdio' ? [] : draft.headers),
  }
  return { name: draft.name.trim(), entry: toEntry(draft), secret: marked }
}

/**
 * The changes since the form was opened. What the person did not change may have a newer value, or no field in the form. Null removes a
 * field.
 */
export function toUpdates(draft: Draft, opened: Draft): ServerUpdates {
  const [before, { name, entry, secret }] = [toNewServer(opened), toNewServer(draft)]
  const gone = Object.keys(before.entry).filter((field) => !(field in entry))
  const changed = Object.entries(entry).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.entry[field]),
  )
  return {
    // A field that is set replaces that of the whole draft, so an unchanged one is left out.
    ...(name !== before.name && { name }),
    entry: Object.fromEntries([...gone.map((field) => [field, null]), ...changed]),
    ...(secret !== undefined && { secret }),
  }
}

/** True for an issue of a field that is one of the other settings. */
export function isOfOthers({ path: [field] }: ServerIssue): boolean {
  return !ownFields.has(String(field))
}

export function keptHint(kept: string | undefined, secrets: readonly SecretView[]): string | undefined {
  if (kept === undefined) return undefined
  const label = /\$\{secret:([^}]+)\}/.exec(kept)?.[1]
  const lastFour = secrets.find(({ name }) => name === label)?.lastFour
  return lastFour === undefined
    ? 'Set. Leave empty to keep it.'
    : `Set, ending in ${lastFour}. Leave empty to keep it.`
}

function toEntry(draft: Draft): Entry {
  const own =
    draft.type === 'stdio'
      ? {
          command: draft.command.trim(),
          args: parseArguments(draft.args),
          cwd: chosen(draft.cwd.trim()),
          env: fromPairs(draft.env),
        }
      : {
          url: draft.url.trim(),
          headers: fromPairs(draft.headers),
          auth: toAuth(draft.auth),
          allowInsecureHttp: draft.allowInsecureHttp ? true : undefined,
        }
  return defined({
    type: draft.type,
    ...own,
    ...othersIn(draft),
    description: chosen(draft.description.trim()),
  })
}

/** A text that is wrong as a whole is a field that no server has, so that the schema reports it. */
function othersIn({ others }: Draft): Entry {
  if (others.trim() === '') return {}
  const data = parseJsonOr(others, undefined)
  const isValid = isRecord(data) && Object.keys(data).every((field) => !ownFields.has(field))
  return isValid ? data : { [otherSettings]: others }
}

function toAuth({ type, other, header, username, secret, kept }: AuthDraft): Entry | undefined {
  if (type === 'none') return undefined
  if (type === 'oauth') return other
  const value = secret === '' ? (kept ?? '') : secret
  return defined({
    type,
    [authSecret[type]]: value,
    header: type === 'api-key' ? chosen(header.trim()) : undefined,
    username: type === 'basic' ? username : undefined,
  })
}

function toPairs(values: Entry): Pair[] {
  return Object.entries(values).map(([name, value]) => {
    const text = String(value)
    return placeholder.test(text)
      ? { name, value: '', isSecret: true, kept: text }
      : { name, value: text, isSecret: false }
  })
}

function fromPairs(pairs: readonly Pair[]): Entry | undefined {
  const named = pairs.filter(
    ({ name, value, kept }) => name.trim() !== '' || value !== '' || kept !== undefined,
  )
  if (named.length === 0) return undefined
  return Object.fromEntries(
    named.map(({ name, value, kept }) => [name.trim(), value === '' ? (kept ?? '') : value]),
  )
}

function secretNames(pairs: readonly Pair[]): string[] {
  return pairs.filter(({ isSecret, name }) => isSecret && name.trim() !== '').map(({ name }) => name.trim())
}

function freeName(name: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? `${name}-copy` : `${name}-copy-${count}`
    if (!taken.includes(free)) return free
  }
}

function chosen<T extends string>(value: T): T | undefined {
  return value === '' ? undefined : value
}

function record(value: unknown): Entry {
  return isRecord(value) ? value : {}
}
