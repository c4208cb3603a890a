import { redactedMark, type Redactor } from './redact.ts'

/** Deeper is nothing that a tool means to say, and it could not be walked without end. */
const depthMax = 200

/**
 * Any JSON value with the secrets struck from every string, key and number of it. What holds none is returned as it is, the same reference;
 * what lies too deep to be looked at is left out.
 */
export function redactValue(value: unknown, redactor: Redactor): unknown {
  return redactAt(value, redactor, 0)
}

function redactAt(value: unknown, redactor: Redactor, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return redactor.redact(value)
    case 'number':
    case 'bigint': {
      const text = String(value)
      return redactor.redact(text) === text ? value : redactedMark
    }
    case 'object':
      if (value === null) return value
      if (depth >= depthMax) return '[too deep]'
      return Array.isArray(value) ? redactArray(value, redactor, depth) : redactObject(value, redactor, depth)
    default:
      return value
  }
}

function redactArray(values: readonly unknown[], redactor: Redactor, depth: number): readonly unknown[] {
  const redacted = values.map((value) => redactAt(value, redactor, depth + 1))
  return redacted.every((value, index) => Object.is(value, values[index])) ? values : redacted
}

function redactObject(object: object, redactor: Redactor, depth: number): object {
  const before = Object.entries(object)
  const after = before.map(([key, value]) => [redactor.redact(key), redactAt(value, redactor, depth + 1)] as const)
  const isSame = after.every(([key, value], index) => key === before[index]?.[0] && Object.is(value, before[index]?.[1]))
  return isSame ? object : Object.fromEntries(withUniqueKeys(after))
}

/** Two keys that were different must not become one: a value would be lost. */
function withUniqueKeys(entries: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  const taken = new Set<string>()
  return entries.map(([key, value]) => {
    let unique = key
    for (let count = 2; taken.has(unique); count++) unique = `${key} ${count}`
    taken.add(unique)
    return [unique, value]
  })
}
