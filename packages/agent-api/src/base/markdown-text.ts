import { showHidden } from './strip-hidden.ts'

/** Characters that could be emphasis, code, a link, an image, HTML or an entity, but no `_` inside a word. */
const marks =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|&(?=#?\w+;)|(?<=^\s*)[#>+-](?=\s)/gmu

/** Escapes a foreign text, such as a name, a pattern or an error, so that Markdown shows it unchanged. */
export function toMarkdownText(text: string): string {
  const shown = text.replace(marks, String.raw`\$&`)
  return /\][([:]/.test(text) ? shown.replaceAll('[', String.raw`\[`) : shown
}

/** Like `toMarkdownText`, but as code, where Markdown has no escapes. */
export function toMarkdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}

/** Its content cannot close the block: the fence is longer than any run of backticks inside. Hidden characters are made visible. */
export function fence(content: string, language = ''): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(Math.max(3, longest + 1))
  return `${ticks}${language}\n${showHidden(content)}\n${ticks}`
}
