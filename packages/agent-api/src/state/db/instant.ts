import { OstlerError } from '../../base/errors.ts'

/** Normalizes a time to the stored form, in which text order is time order. */
export function toInstant(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new OstlerError(
      'history.bad_time',
      `'${text}' is not a valid time. Examples: 2026-01-31, 2026-01-31T12:00:00Z.`,
    )
  return time.toISOString()
}
