import type { z } from 'zod'
import { parseJsonOr } from '../../base/json.ts'
import type { Row } from './statements.ts'

/** Returns the valid rows. One row damaged by a bad disk must not hide the others. */
export function toValid<T>(
  schema: z.ZodType<T>,
  rows: readonly Row[],
  onLeftOut: (rows: number) => void = () => {},
): readonly T[] {
  const valid = rows.flatMap((row) => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
  if (valid.length < rows.length) onLeftOut(rows.length - valid.length)
  return valid
}

/** Returns the text itself if it is not valid JSON. */
export function parseJson(text: string): unknown {
  return parseJsonOr(text, text)
}
