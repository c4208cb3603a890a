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

const plain = /[^\s'"\\|&;<>()$`]+/y
/** A line that ends with a backslash continues on the next one. */
const space = /(?:\s|\\\r?\n)+/y
/** Documentation writes `<KEY>` for a value that the reader has. */
const gapToFill = /<[A-Za-z][\w .-]*>/y
const single = /'([^']*)'/y
const double = /"((?:[^"\\$`]|\\[\s\S])*)"/y
const escaped = /\\([\s\S])/y
const variable = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})/y
const doubleWithVariables = /"((?:[^"\\$`]|\\(?:[^$]|\$(?![{$"]))|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*)"/y
/** Next to variables, a literal text may not look like one: an entry cannot tell them apart. */
const singleWithVariables = /'((?:[^'$]|\$(?![{$']))*)'/y
const escapedWithVariables = /\\([^$])/y

/** Undefined for an open quote, and for anything with a special meaning to a shell. */
export function toWords(line: string): string[] | undefined {
  return splitWords(line, [plain, gapToFill, single, double, escaped])
}

/** `$NAME` and `${NAME}` become `${NAME}`. */
export function toWordsWithVariables(line: string): string[] | undefined {
  const patterns = [
    plain,
    gapToFill,
    singleWithVariables,
    doubleWithVariables,
    variable,
    escapedWithVariables,
  ]
  return splitWords(line, patterns)
}

function splitWords(line: string, patterns: readonly RegExp[]): string[] | undefined {
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
    const found = firstOf(patterns, take)
    if (found === undefined) return undefined
    word = (word ?? '') + toText(found)
    at += found[0].length
  }
  return word === undefined ? words : [...words, word]
}

function firstOf(
  patterns: readonly RegExp[],
  take: (pattern: RegExp) => RegExpExecArray | null,
): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const found = take(pattern)
    if (found !== null) return found
  }
  return undefined
}

function toText([whole, quoted]: RegExpExecArray): string {
  if (whole.startsWith('"')) {
    const text = quoted ?? ''
    return text.replaceAll(
      /\\(["\\$`])|\$([A-Za-z_]\w*)/g,
      (_, sign?: string, name?: string) => sign ?? `\${${name}}`,
    )
  }
  if (whole.startsWith('$')) return `\${${whole.replaceAll(/\W/g, '')}}`
  // A backslash in a Windows path is not an escape.
  const isPath = whole.startsWith('\\') && /^\w$/.test(quoted ?? '')
  return isPath ? whole : (quoted ?? whole)
}
