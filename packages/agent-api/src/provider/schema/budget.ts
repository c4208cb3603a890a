/** How much of a schema may still be written. Whoever walks it pays for what it looks at, so that references cannot make the walk endless. */
export interface Budget {
  charsLeft: number
}

/** Every schema within the schema costs this, however short it is. */
const schemaChars = 32

/** Whether there is enough left for that. */
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

/** About as long as it is in JSON. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? jsonLengthOf(value) : 4
}

/** References lead to the same object again and again: it is measured once. */
function remember(measure: (value: object) => number): (value: object) => number {
  const known = new WeakMap<object, number>()
  return (value) => {
    const measured = known.get(value) ?? measure(value)
    known.set(value, measured)
    return measured
  }
}
