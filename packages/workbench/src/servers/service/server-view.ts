import type { Redactor } from '@ostler/agent-api'
import {
  type ServerEntry,
  type ServerRow,
  redactValue,
  describeSecrets,
  sealSecrets,
  labelsIn,
} from '@ostler/agent-api/internal'
import type { SecretView, ServerEntryInput, ServerId, ServerView } from '../server-service.ts'

/** A stored server may have the same name, but never the same id. */
export function fileServerId(name: string): ServerId {
  return `${filePrefix}${name}`
}

export function isFileServerId(id: ServerId): boolean {
  return id.startsWith(filePrefix)
}

const filePrefix = 'file:'

const commandFields = new Set(['command', 'args'])

export type Now = Pick<
  ServerView,
  'status' | 'login' | 'tools' | 'tokens' | 'prompts' | 'resources' | 'fence'
>

export function toFileServerView(name: string, entry: ServerEntry, now: Now, redactor: Redactor): ServerView {
  const { sealed, secrets } = mask(entry)
  return {
    id: fileServerId(name),
    name,
    description: textOf(entry.description),
    origin: 'file',
    shadowed: false,
    enabled: entry.enabled,
    transport: entry.type,
    entry: redactValue(sealed, redactor, commandFields) as ServerEntryInput,
    secrets: toSecretViews(secrets),
    ...now,
  }
}

interface StoredViewFacts extends Now {
  /** Undefined if they cannot be read. */
  readonly values: Readonly<Record<string, string>> | undefined
  readonly shadowed: boolean
}

export function toStoredServerView(
  row: ServerRow,
  { values, shadowed, ...now }: StoredViewFacts,
): ServerView {
  const { entry, secretStore, lastConnectedAt } = row
  return {
    id: row.id,
    name: row.name,
    description: textOf(entry['description']),
    origin: 'stored',
    shadowed,
    enabled: row.enabled,
    transport: entry['type'] as ServerView['transport'],
    entry: { ...entry, enabled: row.enabled },
    secrets:
      values === undefined ? labelsIn(entry).map((name) => ({ name, set: false })) : toSecretViews(values),
    secretStore: secretStore ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastConnectedAt: lastConnectedAt ?? undefined,
    ...now,
  }
}

function toSecretViews(values: Readonly<Record<string, string>>): SecretView[] {
  return Object.entries(describeSecrets(values)).map(([name, description]) => ({ name, ...description }))
}

/** Falls back to a minimal entry if the file contains placeholder syntax, which cannot be sealed. */
function mask(entry: ServerEntry): ReturnType<typeof sealSecrets> {
  try {
    return sealSecrets(entry)
  } catch {
    const { type, mode, enabled } = entry
    return { sealed: { type, mode, enabled }, secrets: {} }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
