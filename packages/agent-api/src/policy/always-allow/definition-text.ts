import { toCanonicalJson } from '../../base/json.ts'
import { unifiedDiff } from '../../base/unified-diff.ts'
import type { Tool, ToolAnnotations } from '../../messages/tool.ts'

/** The description, schema and annotations of a tool. Together with its name, a pin's `definition` covers them. */
export interface ToolDefinition extends Pick<Tool, 'description' | 'inputSchema'> {
  readonly title?: string | undefined
  readonly annotations?: ToolAnnotations | undefined
}

export const definitionCharsMax = 16 * 1024
const diffCharsMax = 8 * 1024

/** The text of a tool's definition, cut where it is too long to be kept. */
export function definitionText({ title, description, inputSchema, annotations }: ToolDefinition): string {
  const text = partsText({ title, description, inputSchema, annotations })
  return text.length > definitionCharsMax ? `${text.slice(0, definitionCharsMax)}\n${cutNote}\n` : text
}

const partNames: Readonly<Record<string, string>> = {
  inputSchema: 'Parameters',
  outputSchema: 'Results',
  runsAsTask: 'Runs as a task',
}

/** One sentence or one value per line, so that a small change stays small in a diff. */
export function partsText(parts: Readonly<Record<string, unknown>>): string {
  return Object.entries(parts)
    .map(([part, value]) => {
      const body =
        typeof value === 'string'
          ? value.replaceAll(/([.!?])[^\S\n]+(?=\S)/g, '$1\n')
          : toCanonicalJson(value, 2)
      const name = partNames[part] ?? part.charAt(0).toUpperCase() + part.slice(1)
      return body === '' ? '' : `${name}:\n${body.replaceAll(/^/gm, '  ')}\n`
    })
    .join('')
}

const cutNote = 'The rest is too long to be kept.'

/** Empty if the texts are equal. */
export function definitionDiff(before: string, now: string): string {
  const diff = unifiedDiff('definition', before, now).split('\n').slice(2).join('\n').trimEnd()
  return diff.length > diffCharsMax
    ? `${diff.slice(0, diffCharsMax)}\n… ${diff.length - diffCharsMax} more characters changed`
    : diff
}
