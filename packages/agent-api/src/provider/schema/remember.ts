/** Caches results per schema, because they are requested often, and references lead to the same object repeatedly. */
export function remember<S extends object, T>(find: (schema: S) => T): (schema: S) => T {
  const known = new WeakMap<S, T>()
  return (schema) => {
    const found = known.get(schema) ?? find(schema)
    known.set(schema, found)
    return found
  }
}
