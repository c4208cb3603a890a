import { createRedactor } from '@ostler/agent-api'
import {
  type Environment,
  parseServerEntry,
  serverNameProblem,
  toOwnEntry,
  type ServerRow,
  labelsIn,
  sealSecrets,
  unsealSecrets,
  type MarkedSecrets,
  type SealedEntry,
  type ServerIssue,
  invalidServer,
  type ServerSecrets,
} from '@ostler/agent-api/internal'
import type { NewServer, ServerEntryInput, ServerUpdates } from '../server-service.ts'

export interface CheckedServerDraft extends SealedEntry {
  readonly name: string
  readonly entry: ServerEntryInput
}

/** Throws `config.invalid` with all problems. */
export function checkDraft({ name, entry, secret }: NewServer, env: Environment): CheckedServerDraft {
  const sealed = sealSecrets(entry, secret)
  const redactor = createRedactor()
  for (const value of Object.values(sealed.secrets)) redactor.add(value)
  const problems = [...nameProblems(name), ...parseServerEntry(name, entry, env).problems]
  if (problems.length > 0) throw invalidServer(name, problems, redactor)
  return { name, entry, ...sealed }
}

/** Reads stored secrets only if the entry still needs them, so that an unreadable secret can be replaced. */
export async function mergedDraft(
  row: ServerRow,
  updates: ServerUpdates,
  { secrets, env }: { readonly secrets: ServerSecrets; readonly env: Environment },
): Promise<CheckedServerDraft> {
  const sealed = withDefaults(mergeEntry(row.entry, updates.entry ?? {}))
  const values = labelsIn(sealed).length > 0 ? await secrets.read(row.id, row.secretStore) : {}
  const { name = row.name, secret } = updates
  return checkDraft(
    { name, entry: unsealSecrets(sealed, values), secret: withMarks(row.entry, values, secret) },
    env,
  )
}

/** Unless the entry says otherwise, all tools of a server that a person adds are admitted. The agent file can configure each. */
export function withDefaults(given: ServerEntryInput): ServerEntryInput {
  const entry = toOwnEntry(given)
  const mode = entry['mode'] ?? 'dynamic'
  return {
    ...entry,
    mode,
    ...(mode === 'dynamic' && { defaultToolConfig: entry['defaultToolConfig'] ?? {} }),
  }
}

export function nameProblems(name: string): readonly ServerIssue[] {
  const message = serverNameProblem(name)
  return message === undefined ? [] : [{ path: ['name'], message }]
}

const wholeValue = /^(?:\S+\s+)?\$\{secret:[^-}][^}]*\}$/

/** A variable or header that was secret stays secret, whatever its value is now. So does the value of a secret, wherever it stands. */
function withMarks(
  sealed: ServerEntryInput,
  values: Readonly<Record<string, string>>,
  marked: MarkedSecrets = {},
): MarkedSecrets {
  const namesIn = (field: unknown) =>
    Object.entries((field ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' && wholeValue.test(value) ? [name] : [],
    )
  return {
    env: [...namesIn(sealed['env']), ...(marked.env ?? [])],
    headers: [...namesIn(sealed['headers']), ...(marked.headers ?? [])],
    values: [...inArguments(values), ...(marked.values ?? [])],
  }
}

function inArguments(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([label, value]) => (/^(?:args|url)\b/.test(label) ? [value] : []))
}

const fieldsOfKind: Readonly<Record<string, readonly string[]>> = {
  stdio: ['command', 'args', 'env', 'cwd', 'sandbox'],
  remote: ['url', 'headers', 'auth', 'allowInsecureHttp'],
}

/** `null` removes a field. So does a new server type, if the field does not apply to it. */
export function mergeEntry(entry: ServerEntryInput, updates: ServerEntryInput): ServerEntryInput {
  const merged = Object.fromEntries(
    Object.entries({ ...entry, ...updates }).filter(([, value]) => value !== null && value !== undefined),
  )
  const [before, now] = [kindOf(entry), kindOf(merged)]
  if (before === now) return merged
  const left = new Set(fieldsOfKind[before]?.filter((field) => !(field in updates)))
  return Object.fromEntries(Object.entries(merged).filter(([field]) => !left.has(field)))
}

function kindOf({ type }: ServerEntryInput): string {
  return type === 'stdio' ? 'stdio' : 'remote'
}
