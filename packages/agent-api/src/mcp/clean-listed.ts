import { isRecord } from '../base/is-record.ts'
import { cleaning } from '../redaction/cleaning.ts'
import type { Redactor } from '../redaction/redact.ts'
import { stripHidden } from '../base/strip-hidden.ts'

/** Deeper is nothing that would be let in. */
const depthMax = 200
/** What others refer to: with a mark in it a tool could not be called, and an argument not be given. */
const referred: ReadonlySet<string> = new Set(['name', 'type', 'required', '$ref', '$id', '$anchor'])
/** A call must repeat these values, or match them, so they keep their hidden characters. `hasHidden` finds them. */
const repeated: ReadonlySet<string> = new Set(['enum', 'const', 'pattern'])

/** What a server says of its tools, its prompts or a form: every text that is only read, without hidden characters and secrets. */
export function cleanListed(value: unknown, redactor: Redactor): unknown {
  return cleanAt(value, { redactor, redact: cleaning(redactor).redact }, 0)
}

interface Cleaning {
  readonly redactor: Redactor
  readonly redact: (text: string) => string
}

function cleanAt(value: unknown, how: Cleaning, depth: number): unknown {
  if (typeof value === 'string') return how.redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => cleanAt(item, how, depth + 1))
  const { redactor } = how
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (isReferred(key, item)) return [key, item]
      return [key, cleanAt(item, repeated.has(key) && !isRecord(item) ? { redactor, redact: redactor.redact } : how, depth + 1)]
    }),
  )
}

/** A property may be called `name`, and is described by an object. */
function isReferred(key: string, value: unknown): boolean {
  return referred.has(key) && (typeof value === 'string' || Array.isArray(value))
}

/** Whether hidden characters are left in a clean schema: in a name or a value, where nothing can be removed. */
export function hasHidden(schema: unknown): boolean {
  if (typeof schema === 'string') return stripHidden(schema) !== schema
  if (Array.isArray(schema)) return schema.some(hasHidden)
  return isRecord(schema) && Object.entries(schema).some(([key, value]) => stripHidden(key) !== key || hasHidden(value))
}
