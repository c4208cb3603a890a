import { type Strike, redactedMark } from '../base/clean-text.ts'
import type { Redactor } from './redact.ts'

/** No tool produces deeper values on purpose, and the walk is recursive. */
const depthMax = 200

/**
 * Redacts secrets in every string, key and number of a JSON value. Returns the same reference if nothing was redacted. Replaces values that
 * are nested too deeply. Values under the keys in `commands` are redacted as commands that a person is asked about.
 */
export function redactValue(
  value: unknown,
  redactor: Redactor,
  commands: ReadonlySet<string> = none,
): unknown {
  return redactAt(value, { redact: redactor.redact, redactor, commands }, 0)
}

/** `redactValue` as a function, for code that must not know the redactor. */
export function strikeWith(redactor: Redactor, commands?: ReadonlySet<string>): Strike {
  return <T>(value: T) => redactValue(value, redactor, commands) as T
}

const none: ReadonlySet<string> = new Set()

interface Redacting {
  readonly redact: (text: string) => string
  readonly redactor: Redactor
  readonly commands: ReadonlySet<string>
}

function redactAt(value: unknown, redacting: Redacting, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return redacting.redact(value)
    case 'number':
    case 'bigint': {
      const text = String(value)
      return redacting.redact(text) === text ? value : redactedMark
    }
    case 'object':
      if (value === null) return value
      if (depth >= depthMax) return '[too deep]'
      return Array.isArray(value)
        ? redactArray(value, redacting, depth)
        : redactObject(value, redacting, depth)
    default:
      return value
  }
}

function redactArray(values: readonly unknown[], redacting: Redacting, depth: number): readonly unknown[] {
  const redacted = values.map((value) => redactAt(value, redacting, depth + 1))
  return redacted.every((value, index) => Object.is(value, values[index])) ? values : redacted
}

function redactObject(object: object, redacting: Redacting, depth: number): object {
  const before = Object.entries(object)
  const { redactor, commands } = redacting
  const after = before.map(([key, value]) => {
    const inner = commands.has(key) ? { ...redacting, redact: redactor.redactCommand } : redacting
    return [redactor.redact(key), redactAt(value, inner, depth + 1)] as const
  })
  const isSame = after.every(
    ([key, value], index) => key === before[index]?.[0] && Object.is(value, before[index]?.[1]),
  )
  return isSame ? object : Object.fromEntries(withUniqueKeys(after))
}

/** Two different keys must not become the same key, or a value would be lost. */
function withUniqueKeys(entries: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  const taken = new Set<string>()
  return entries.map(([key, value]) => {
    let unique = key
    for (let count = 2; taken.has(unique); count++) unique = `${key} ${count}`
    taken.add(unique)
    return [unique, value]
  })
}
