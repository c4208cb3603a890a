/** Characters that could be emphasis, code, a link, an image, HTML or an entity, but no `_` inside a word. */
const marks =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|&(?=#?\w+;)|(?<=^\s*)[#>+-](?=\s)/gmu

/** A text of others, such as a name, a pattern or an error, as Markdown that shows it unchanged. */
export function toMarkdownText(text: string): string {
  const shown = text.replace(marks, String.raw`\$&`)
  return /\][([:]/.test(text) ? shown.replaceAll('[', String.raw`\[`) : shown
}

/** The same as code. Markdown has no escapes there. */
export function toMarkdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}
