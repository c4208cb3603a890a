/** Notes begin in lower case, because the command line puts a name before them. Here they are shown alone. */
export function toSentence(note: string): string {
  const text = note.trim()
  const isSentence = /[.!?…)]$/.test(text)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${isSentence || text === '' ? '' : '.'}`
}
