import type { ServerEntryInput } from '../server-service.ts'

const fieldsOfKind: Readonly<Record<string, readonly string[]>> = {
  stdio: ['command', 'args', 'env', 'cwd'],
  remote: ['url', 'headers', 'auth', 'allowInsecureHttp'],
}

/** Replaces some fields of an entry; `null` removes one. Removes fields that do not apply to a new server type. */
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
