/** More than this share of unreadable characters means that an output is not text. */
const unreadableShareMax = 0.1

/**
 * An output as a terminal would show it: of a line that is overwritten after a carriage return, such as a progress bar, only the last state
 * appears. Escape sequences are removed later, with all hidden characters.
 */
export function toOutputText(printed: string): string {
  const unreadable = printed.match(/[\0\ufffd]/g)?.length ?? 0
  if (unreadable > printed.length * unreadableShareMax) return '[binary output is not shown]'
  if (!printed.includes('\r')) return printed
  return printed.split('\n').map(lastState).join('\n')
}

function lastState(line: string): string {
  const end = line.replace(/\r+$/, '')
  return end.slice(end.lastIndexOf('\r') + 1)
}

/** A Markdown code block whose end does not occur in the text. */
export function toCodeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}`
}
