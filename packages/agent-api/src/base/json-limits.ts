interface JsonLimits {
  readonly depthMax: number
  readonly charsMax: number
}

/** The first limit that a JSON value exceeds, if any. Does not recurse. */
export function exceededLimit(
  value: unknown,
  { depthMax, charsMax }: JsonLimits,
): keyof JsonLimits | undefined {
  let charsLeft = charsMax
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const inner: unknown[] = []
    for (const item of level) {
      charsLeft -= typeof item === 'string' ? item.length : 1
      if (charsLeft < 0) return 'charsMax'
      if (typeof item !== 'object' || item === null) continue
      if (depth >= depthMax) return 'depthMax'
      if (Array.isArray(item)) {
        if (item.length > charsLeft) return 'charsMax'
        for (const each of item) inner.push(each)
        continue
      }
      // Not `Object.entries`: an object may have a million keys.
      for (const key in item) {
        charsLeft -= key.length
        if (charsLeft < 0) return 'charsMax'
        inner.push((item as Record<string, unknown>)[key])
      }
    }
    level = inner
  }
  return undefined
}
