import { endOf, type Span } from './secret-shapes.ts'

/**
 * Shell metacharacters and white space. A value ends there: the rest may be the command that a person is asked about, and must stay
 * visible.
 */
export const shellCharacters = /[\s;|&<>()$`"']/
const plainRun = /[^\s;|&<>()$`"']*/y
/** In a reference to a variable, only the default value can be a secret. */
const defaultRun = /[^\s;|&<>()$`"'}]*/y
const escapedRun = /[^\s;|&<>()$`"'\\]*/y
/** Not allowed in quotes either: the program that runs the text may not treat these quotes as quotes. */
const unsafeInQuotes = /[;|&<>()$`\r\n]/
const reference = /\$\{[A-Za-z_]\w*(?:\}|:-)/y

/** Positions of opening quotes, each with the position of its closing quote. */
export type Quotes = ReadonlyMap<number, number>

export function quotesIn(text: string): Quotes {
  const quotes = new Map<number, number>()
  const unclosed = new Set<string>()
  const next = /\\[^]|["']/g
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const [quote] = match
    if (quote.length > 1 || unclosed.has(quote)) continue
    const close = quote === "'" ? text.indexOf("'", match.index + 1) : closeOf(text, match.index + 1)
    if (close === -1) unclosed.add(quote)
    else {
      quotes.set(match.index, close)
      next.lastIndex = close + 1
    }
  }
  return quotes
}

function closeOf(text: string, from: number): number {
  const next = /\\[^]|"/g
  next.lastIndex = from
  for (let match = next.exec(text); match !== null; match = next.exec(text))
    if (match[0] === '"') return match.index
  return -1
}

/**
 * Returns the spans of the one value that begins at `from`, without its quotes. It ends at white space or at a shell metacharacter; only
 * quoted parts may contain white space.
 */
export function spansOfValue(text: string, from: number, quotes: Quotes): Span[] {
  // JSON nested in a JSON string.
  if (text.startsWith('\\"', from)) return nonEmpty(from + 2, endOf(escapedRun, text, from + 2))
  const spans: Span[] = []
  for (let at = from; at < text.length;) {
    const close = quotes.get(at)
    if (close !== undefined) {
      if (unsafeInQuotes.test(text.slice(at + 1, close)))
        return [...spans, ...nonEmpty(at + 1, endOf(plainRun, text, at + 1))]
      spans.push(...nonEmpty(at + 1, close))
      at = close + 1
      // A comma or bracket belongs to the surrounding text.
      if (!/["'\w+/.~%=-]/.test(text.charAt(at))) break
      continue
    }
    const start = endOf(reference, text, at)
    if (start > at && text[start - 1] === '}') {
      at = start
      continue
    }
    const end = endOf(start > at ? defaultRun : plainRun, text, start)
    spans.push(...nonEmpty(start, end))
    if (end === at) break
    at = start > at && text[end] === '}' ? end + 1 : end
  }
  return spans
}

function nonEmpty(start: number, end: number): Span[] {
  return start < end ? [{ start, end }] : []
}
