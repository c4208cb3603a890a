import { jsonText, visible } from './visible.ts'

/** Formats arguments one per line, or as a JSON array if lines would be ambiguous or hide characters. */
export function formatArguments(args: readonly string[]): string {
  const isPlain = args.every(isLine) && args[0]?.startsWith('[') !== true
  return isPlain ? args.join('\n') : jsonText(args)
}

function isLine(arg: string): boolean {
  return arg !== '' && !/[\r\n]/.test(arg) && arg.trim() === arg && visible(arg) === arg
}

export function parseArguments(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(trimmed)
      if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
    } catch {
      // Not JSON: an argument that begins with a bracket.
    }
  }
  return trimmed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
