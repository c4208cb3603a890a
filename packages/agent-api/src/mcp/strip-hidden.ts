/** A terminal's colour and cursor sequences; taken out whole, so that `[31m` does not stay behind. */
// eslint-disable-next-line no-control-regex
const ansiSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/**
 * What a person does not see and a model reads all the same: control characters but for tab and newline, zero-width
 * characters, marks that turn the direction of a text, variation selectors and the Unicode tags.
 */
const hiddenCharacters =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** The text as a person sees it. */
export function stripHidden(text: string): string {
  return text.toWellFormed().replace(ansiSequences, '').replace(hiddenCharacters, '')
}

/** The same for a text that must stay on one line. */
export function stripHiddenLine(text: string): string {
  return stripHidden(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()
}
