/**
 * The remaining size of a schema that is being written. Every visited part costs something, so that references cannot make the walk
 * endless.
 */
export interface Budget {
  charsLeft: number
}

/** Minimum cost of every nested schema. */
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

const keyLengthOf = remember((schema) => Object.keys(schema).join('').length)
const jsonLengthOf = remember((value) => JSON.stringify(value).length)

/** Approximate length as JSON. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? jsonLengthOf(value) : 4
}

/** Caches sizes, because references lead to the same object repeatedly. */
function remember(measure: (value: object) => number): (value: object) => number {
  const known = new WeakMap<object, number>()
  return (value) => {
    const measured = known.get(value) ?? measure(value)
    known.set(value, measured)
    return measured
  }
}
