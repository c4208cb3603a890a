/** A list in a text field, while it is being typed: an empty line at the end is where the next one goes. */
export function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/)
}

export function fromLines(lines: readonly string[]): string {
  return lines.join('\n')
}
