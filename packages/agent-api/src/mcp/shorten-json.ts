/** The approximate length of a value's JSON, without writing it. Looks at `valuesMax` values; `isWhole` is false if there are more. */
export function measureJson(value: unknown, valuesMax: number) {
  let chars = 0
  let valuesLeft = valuesMax
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    if (valuesLeft-- <= 0) return { chars, isWhole: false }
    const item = waiting.pop()
    if (typeof item === 'string') chars += item.length + 2
    else if (Array.isArray(item)) {
      chars += item.length + 1
      if (item.length > valuesLeft) return { chars, isWhole: false }
      for (const each of item) waiting.push(each)
    } else if (typeof item === 'object' && item !== null) {
      chars += 2
      // Not `Object.entries`: an object may have a million keys.
      for (const key in item) {
        chars += key.length + 4
        waiting.push((item as Record<string, unknown>)[key])
        if (waiting.length > valuesLeft) return { chars, isWhole: false }
      }
    } else chars += String(item).length
  }
  return { chars, isWhole: true }
}

const depthMax = 24
const cutMark = '…'

/** The beginning of a JSON value, with a mark where something is missing. Its JSON is at most about `charsMax` long. */
export function shortenJson(value: unknown, charsMax: number): unknown {
  let charsLeft = charsMax
  return shorten(value, 0)

  function shorten(item: unknown, depth: number): unknown {
    charsLeft -= 4
    if (typeof item === 'string') {
      const text = item.length <= charsLeft ? item : `${item.slice(0, Math.max(0, charsLeft))}${cutMark}`
      charsLeft -= text.length
      return text
    }
    if (typeof item !== 'object' || item === null) return item
    if (depth >= depthMax) return cutMark
    return Array.isArray(item)
      ? shortenList(item, depth)
      : shortenObject(item as Readonly<Record<string, unknown>>, depth)
  }

  function shortenList(items: readonly unknown[], depth: number): unknown[] {
    const short: unknown[] = []
    for (const item of items) {
      if (charsLeft <= 0) return [...short, cutMark]
      short.push(shorten(item, depth + 1))
    }
    return short
  }

  function shortenObject(object: Readonly<Record<string, unknown>>, depth: number): object {
    const entries: [string, unknown][] = []
    for (const key in object) {
      if (charsLeft <= 0) {
        entries.push([cutMark, cutMark])
        break
      }
      charsLeft -= key.length
      entries.push([key.length > charsMax ? key.slice(0, charsMax) : key, shorten(object[key], depth + 1)])
    }
    return Object.fromEntries(entries)
  }
}
