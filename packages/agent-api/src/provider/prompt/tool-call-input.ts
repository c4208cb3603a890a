import { isRecord } from '../../base/is-record.ts'

/**
 * The arguments of a past call as an object, whatever the model wrote. Vendors refuse a history with anything else in that place, so broken
 * JSON goes back as the text it was, and the model can see what it did wrong.
 */
export function toToolCallInput(input: string): Readonly<Record<string, unknown>> {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input, (_key, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))
    if (isRecord(value)) return value
  } catch {
    // Falls through: shown as it is.
  }
  return { invalid_arguments: input.toWellFormed() }
}
