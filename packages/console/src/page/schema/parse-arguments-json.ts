import type { FormIssue } from './entry.ts'

/** Arguments must be an object. Empty text means an empty object. */
export function parseArgumentsJson(text: string): {
  readonly value?: Readonly<Record<string, unknown>>
  readonly issues: readonly FormIssue[]
} {
  const issue = (message: string) => ({ issues: [{ path: '', message }] })
  if (text.trim() === '') return { value: {}, issues: [] }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Readonly<Record<string, unknown>>, issues: [] }
    return issue('Arguments must be a JSON object: { … }.')
  } catch (error) {
    return issue(`This is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
