import { isRecord } from '../../base/is-record.ts'

/**
 * Converts the arguments of a past call to an object, as vendors require. Invalid JSON is sent back as text, so that the model sees its
 * mistake.
 */
export function toToolCallInput(input: string): Readonly<Record<string, unknown>> {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input, (_key, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))
    if (isRecord(value)) return value
  } catch {
    // Not JSON: fall through.
  }
  return { invalid_arguments: input.toWellFormed() }
}
