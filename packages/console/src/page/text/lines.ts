/** A list in a text field. An empty last line is kept while typing. */
export function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/)
}

export function fromLines(lines: readonly string[]): string {
  return lines.join('\n')
}
