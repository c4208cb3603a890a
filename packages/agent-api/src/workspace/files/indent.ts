/** Converts the indentation of a line from that of the wanted text to that of the file. */
export type IndentChange = (line: string) => string

/** The usual steps of indentation. */
const steps: readonly string[] = ['\t', '  ', '    ', '   ', '        ']

/** Undefined if the lines differ in more than one uniform change of their indentation, and in trailing blanks. */
export function adaptIndent(wanted: readonly string[], actual: readonly string[]): IndentChange | undefined {
  const pairs: (readonly [string, string])[] = []
  for (const [index, line] of wanted.entries()) {
    const other = actual[index] ?? ''
    if (line.trim() !== other.trim()) return undefined
    if (line.trim() !== '') pairs.push([indentOf(line), indentOf(other)])
  }
  const [first] = pairs
  if (first === undefined) return undefined
  return added(first, pairs) ?? removed(first, pairs) ?? otherSteps(pairs)
}

type Pair = readonly [wanted: string, actual: string]

/** The file is indented further. */
function added([wanted, actual]: Pair, pairs: readonly Pair[]): IndentChange | undefined {
  if (!actual.endsWith(wanted)) return undefined
  const more = actual.slice(0, actual.length - wanted.length)
  if (!pairs.every(([from, to]) => to === more + from)) return undefined
  return (line) => (line.trim() === '' ? line : more + line)
}

/** The file is indented less. */
function removed([wanted, actual]: Pair, pairs: readonly Pair[]): IndentChange | undefined {
  if (!wanted.endsWith(actual)) return undefined
  const less = wanted.slice(0, wanted.length - actual.length)
  if (!pairs.every(([from, to]) => from === less + to)) return undefined
  return (line) => (line.startsWith(less) ? line.slice(less.length) : line.trimStart())
}

/** The file uses tabs where the wanted text has spaces, or steps of another width. */
function otherSteps(pairs: readonly Pair[]): IndentChange | undefined {
  for (const from of steps) {
    for (const to of steps) {
      if (from === to || !pairs.every(([wanted, actual]) => convert(wanted, from, to) === actual)) continue
      return (line) => convert(indentOf(line), from, to, true) + line.trimStart()
    }
  }
  return undefined
}

/** Undefined if the indentation does not consist of such steps. With `isLoose`, a remainder of less than a step is kept. */
function convert(indent: string, from: string, to: string, isLoose = false): string | undefined {
  const count = Math.floor(indent.length / from.length)
  const rest = indent.slice(count * from.length)
  if (from.repeat(count) + rest !== indent) return isLoose ? indent : undefined
  return rest === '' || isLoose ? to.repeat(count) + rest : undefined
}

function indentOf(line: string): string {
  let end = 0
  while (line[end] === ' ' || line[end] === '\t') end++
  return line.slice(0, end)
}
