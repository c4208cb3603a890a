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

/** One sentence or one value per line, so that a small change stays small in a diff. */
export function definitionText({ title, description, inputSchema, annotations }: ToolDefinition): string {
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Title', title],
    ['Description', description.replaceAll(/([.!?])[^\S\n]+(?=\S)/g, '$1\n')],
    ['Parameters', toCanonicalJson(inputSchema, 2)],
    ['Annotations', annotations && toCanonicalJson(annotations, 2)],
  ]
  const text = parts
    .filter(([, body]) => body !== undefined && body !== '')
    .map(([name, body = '']) => `${name}:\n${body.replaceAll(/^/gm, '  ')}\n`)
    .join('')
  return text.length > definitionCharsMax ? `${text.slice(0, definitionCharsMax)}\n${cutNote}\n` : text
}

const cutNote = 'The rest is too long to be kept.'

/** Empty if the texts are equal. */
export function definitionDiff(before: string, now: string): string {
  const diff = unifiedDiff('definition', before, now).split('\n').slice(2).join('\n').trimEnd()
  return diff.length > diffCharsMax
    ? `${diff.slice(0, diffCharsMax)}\n… ${diff.length - diffCharsMax} more characters changed`
    : diff
}
