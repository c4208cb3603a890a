/** A terminal's colour and cursor sequences: noise outside of a terminal. */
// oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
const ansiSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** Control characters but for tab and line ends, marks that turn the direction of a text, and what takes up no room at all. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
const everyHidden = new RegExp(hidden, 'gu')

/** A foreign text in which nothing hides: what cannot be seen stands there by its number. */
export function visible(text: string): string {
  if (!hidden.test(text)) return text
  return text.replace(ansiSequences, '').replace(everyHidden, (character) => `\\u{${codePointOf(character)}}`)
}

/** JSON to read and to edit, with nothing hidden in it either: the same value comes out of it. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2) ?? ''
  return text.replace(everyHidden, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

function codePointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
