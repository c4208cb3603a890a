interface CommandParts {
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly command: string
  readonly args: readonly string[]
}

/** Undefined for one word, and for a line that only a shell can run. */
export function splitCommandLine(line: string): CommandParts | undefined {
  const words = toWords(line.trim().replace(/^\$\s+/, ''))
  return words === undefined || words.length < 2 ? undefined : toCommandParts(words)
}

/** Undefined without a command. */
export function toCommandParts(words: readonly string[]): CommandParts | undefined {
  const assigned = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const [command, ...args] = words.slice(assigned)
  if (assigned === -1 || command === undefined) return undefined
  const env = words
    .slice(0, assigned)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const)
  return { env, command, args }
}

/** Documentation writes `<KEY>` for a value that the reader has. */
const piece = /([^\s'"\\|&;<>()$`]+|<[A-Za-z][\w .-]*>)|'([^']*)'|"((?:[^"\\$`]|\\[^])*)"|\\([^])/y
/** A line that ends with a backslash continues on the next one. */
const space = /(?:\s|\\\r?\n)+/y

/** Undefined for an open quote, and for anything with a special meaning to a shell. */
export function toWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length;) {
    const take = (pattern: RegExp) => {
      pattern.lastIndex = at
      return pattern.exec(line)
    }
    const gap = take(space)
    if (gap !== null) {
      if (word !== undefined) words.push(word)
      word = undefined
      at += gap[0].length
      continue
    }
    const found = take(piece)
    if (found === null) return undefined
    const [whole, plain, single, double, escaped] = found
    word =
      (word ?? '') +
      (plain ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? unescaped(whole, escaped))
    at += whole.length
  }
  return word === undefined ? words : [...words, word]
}

/** A backslash in a Windows path is not an escape. */
function unescaped(whole: string, escaped = ''): string {
  return /^\w$/.test(escaped) ? whole : escaped
}
