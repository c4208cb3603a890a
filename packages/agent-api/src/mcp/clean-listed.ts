import { isRecord } from '../base/is-record.ts'
import { cleaning } from '../redaction/text-cleaner.ts'
import type { Redactor } from '../redaction/redact.ts'
import { stripHidden } from '../base/strip-hidden.ts'

/** Deeper schemas are rejected later. */
const depthMax = 200
/** Keys that other parts refer to. With a redaction mark in them, a tool could not be called. */
const referred: ReadonlySet<string> = new Set(['name', 'type', 'required', '$ref', '$id', '$anchor'])
/** A call must repeat or match these values, so they keep hidden characters. `hasHidden` detects them. */
const repeated: ReadonlySet<string> = new Set(['enum', 'const', 'pattern'])

/** Cleans a server's tools, prompts or form: removes hidden characters and secrets from every text that is only read. */
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
      return [
        key,
        cleanAt(
          item,
          repeated.has(key) && !isRecord(item) ? { redactor, redact: redactor.redact } : how,
          depth + 1,
        ),
      ]
    }),
  )
}

/** A property may be named `name`; its value is then an object. */
function isReferred(key: string, value: unknown): boolean {
  return referred.has(key) && (typeof value === 'string' || Array.isArray(value))
}

/** True if a cleaned schema still has hidden characters, in a name or a value that cannot be changed. */
export function hasHidden(schema: unknown): boolean {
  if (typeof schema === 'string') return stripHidden(schema) !== schema
  if (Array.isArray(schema)) return schema.some(hasHidden)
  return (
    isRecord(schema) &&
    Object.entries(schema).some(([key, value]) => stripHidden(key) !== key || hasHidden(value))
  )
}
