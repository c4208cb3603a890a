import type { Redactor } from '../secrets/redact.ts'

/** Deeper is nothing that would be let in. */
const depthMax = 200
/** What others refer to: with a mark in it a tool could not be called, and an argument not be given. */
const referred: ReadonlySet<string> = new Set(['name', 'type', 'required', '$ref', '$id', '$anchor'])

/** What a server says of its tools, its prompts or a form, with the secrets struck from every text that is only read. */
export function redactListed(value: unknown, redactor: Redactor): unknown {
  return redactAt(value, redactor, 0)
}

function redactAt(value: unknown, redactor: Redactor, depth: number): unknown {
  if (typeof value === 'string') return redactor.redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redactAt(item, redactor, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isReferred(key, item) ? item : redactAt(item, redactor, depth + 1)]),
  )
}

/** A property may be called `name`, and is described by an object. */
function isReferred(key: string, value: unknown): boolean {
  return referred.has(key) && (typeof value === 'string' || Array.isArray(value))
}
