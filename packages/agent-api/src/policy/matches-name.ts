/** Matches a name. `*` in the pattern stands for any characters. Takes linear time, because names come from servers. */
export function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === pattern
  let at = first.length
  const end = name.length - last.length
  if (end < at || !name.startsWith(first) || !name.endsWith(last)) return false
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= end
}
