/** JSON for programs, which a terminal cannot take for orders either: what could move its cursor or hide something is written as `\uXXXX`. */
export function toPrintedJson(value: unknown): string {
  const escape = (character: string) =>
    [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
  return `${JSON.stringify(value, null, 2).replace(/[^\P{C}\n]/gu, escape)}\n`
}

export function printJson(value: unknown): void {
  process.stdout.write(toPrintedJson(value))
}
