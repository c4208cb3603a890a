export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** Removes duplicates and keeps the order. Only objects and lists are compared as text: a list of values may be very long. */
export function unique(values: readonly unknown[]): unknown[] {
  const texts = new Set<string>()
  return [...new Set(values)].filter((value) => {
    if (typeof value !== 'object' || value === null) return true
    const text = JSON.stringify(value)
    return !texts.has(text) && texts.add(text)
  })
}
