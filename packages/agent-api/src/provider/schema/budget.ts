/**
 * The remaining size of a schema that is being written. Every visited part costs something, so that references cannot make the walk
 * endless.
 */
export interface Budget {
  charsLeft: number
}

const schemaChars = 32

/** Deducts the cost. Returns false if it exceeds the rest. */
export function spend(budget: Budget, chars: number): boolean {
  if (chars > budget.charsLeft) return false
  budget.charsLeft -= chars
  return true
}

export function spendSchema(budget: Budget, schema: object): boolean {
  return spend(budget, schemaChars + keyLengthOf(schema))
}

const keyLengthOf = remember((schema: object) => Object.keys(schema).join('').length)
const jsonLengthOf = remember((value: object) => JSON.stringify(value).length)

export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? jsonLengthOf(value) : 4
}

/** Caches results per schema, because they are requested often, and references lead to the same object repeatedly. */
function remember<S extends object, T>(find: (schema: S) => T): (schema: S) => T {
  const known = new WeakMap<S, T>()
  return (schema) => {
    const found = known.get(schema) ?? find(schema)
    known.set(schema, found)
    return found
  }
}
