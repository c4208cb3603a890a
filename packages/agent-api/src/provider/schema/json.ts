export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** Removes duplicates and keeps the order. */
export function unique(values: readonly unknown[]): unknown[] {
  const byText = new Map<string, unknown>()
  for (const value of values) {
    const text = JSON.stringify(value)
    if (!byText.has(text)) byText.set(text, value)
  }
  return [...byText.values()]
}
