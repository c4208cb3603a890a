/** Color and cursor sequences of terminals. */
// oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
const ansiSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** Control characters (except tab and line breaks), direction marks, and zero-width characters. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
const everyHidden = new RegExp(hidden, 'gu')

/** Replaces hidden characters of untrusted text by their code points. */
export function visible(text: string): string {
  if (!hidden.test(text)) return text
  return text.replace(ansiSequences, '').replace(everyHidden, (character) => `\\u{${codePointOf(character)}}`)
}

/** JSON with hidden characters escaped. It parses back to the same value. */
export function jsonText(value: unknown): string {
  return escapeHidden(JSON.stringify(value, undefined, 2) ?? '')
}

/** Hidden characters as JSON escapes. JSON still means the same, and other text shows what it hides. */
export function escapeHidden(text: string): string {
  return text.replace(everyHidden, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

function codePointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
