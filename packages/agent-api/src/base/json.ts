import { isRecord } from './is-record.ts'

export function parseJsonOr(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}

/** The same text for equal values, regardless of key order. Like `JSON.stringify`, it ignores undefined fields. */
export function toCanonicalJson(value: unknown, indent?: number): string {
  const sorted = (_key: string, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part
  const text: string | undefined = JSON.stringify(value, sorted, indent)
  return text ?? ''
}
