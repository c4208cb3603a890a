/** A note begins in lower case, because the command line puts a name before it. Here it stands alone. */
export function toSentence(note: string): string {
  const text = note.trim()
  const isSentence = /[.!?…)]$/.test(text)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${isSentence || text === '' ? '' : '.'}`
}
