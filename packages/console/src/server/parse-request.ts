import { z } from 'zod'
import { requestError } from './http/route.ts'

/** Validates the body or the query of a request. Errors name their fields, as for a form. */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((key) => (typeof key === 'number' ? key : String(key))),
    message,
  }))
  const [first] = issues
  throw requestError(
    400,
    'console.bad_request',
    `The request is invalid: ${first?.path.join('.') || 'body'}: ${first?.message ?? ''}`,
    { issues },
  )
}

/** Validates a query. Empty values count as missing. */
export function parseQuery<T extends z.ZodType>(schema: T, query: URLSearchParams): z.output<T> {
  return parseRequest(schema, Object.fromEntries([...query].filter(([, value]) => value !== '')))
}
