import { styleText } from 'node:util'

/** Colors text if the terminal supports it. Plain in a pipe or with NO_COLOR, as `styleText` decides. */
type Style = Parameters<typeof styleText>[0]

export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

export function say(line = ''): void {
  console.log(line)
}

export function heading(text: string): void {
  say()
  say(paint('bold', text))
}

export function passed(text: string): void {
  say(`  ${paint('green', '✓')} ${text}`)
}

export function detail(text: string): void {
  for (const line of text.split('\n')) say(`    ${paint('dim', line)}`)
}
