import type { FormIssue } from './entry.ts'
import { isObject } from './is-object.ts'

/** Arguments must be an object. Empty text means an empty object. */
export function parseArgumentsJson(text: string): {
  readonly value?: Readonly<Record<string, unknown>>
  readonly issues: readonly FormIssue[]
} {
  const issue = (message: string) => ({ issues: [{ path: '', message }] })
  if (text.trim() === '') return { value: {}, issues: [] }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { value, issues: [] } : issue('Arguments must be a JSON object: { … }.')
  } catch (error) {
    return issue(`This is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
