/** Color and cursor sequences of terminals. */
// oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
const ansiSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** Hidden characters, as in `strip-hidden` of agent-api, except those that join letters and emoji. */
const hidden =
  /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800\u{13430}-\u{1343f}]--[\t\n\r\q{\u200c|\u200d|\ufe0f}]]/v
const everyHidden = new RegExp(hidden, 'gv')

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
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function codePointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
