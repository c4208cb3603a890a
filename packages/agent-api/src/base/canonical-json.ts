import { isRecord } from './is-record.ts'

/** The same text for the same JSON value, whatever the order of its keys. What JSON does not write, an unset field, does not count. */
export function toCanonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
  return text ?? ''
}
