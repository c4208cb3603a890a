import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { ToolResult } from '../../messages/tool.ts'
import { toReadable, wellFormed, type Readable } from './block-text.ts'
import { describeMedia, toFilePart } from './file-part.ts'
import type { MediaSupport } from './media-support.ts'

export interface ToolOutputForModel {
  readonly output: LanguageModelV4ToolResultOutput
  /** What the model can see, but not inside a tool result: shown in a message of its own, right after. */
  readonly shownAfter: readonly LanguageModelV4FilePart[]
}

type Segment = { readonly type: 'text'; readonly text: string } | LanguageModelV4FilePart

/** One text wherever that says it all; `content` only where files must stand beside it. */
export function toToolOutput(result: ToolResult, support: MediaSupport): ToolOutputForModel {
  const shownAfter: LanguageModelV4FilePart[] = []
  // An error has no form that could hold a file.
  const accepted = result.isError ? /^(?!)/ : support.toolResult
  const segments = readablesOf(result).map((readable): Segment => {
    if ('text' in readable) return { type: 'text', text: readable.text }
    const inside = toFilePart(readable.media, accepted, support.base64LengthMax)
    if (inside) return inside
    const after = toFilePart(readable.media, support.user, support.base64LengthMax)
    if (after) shownAfter.push(after)
    return { type: 'text', text: describeMedia(readable.media, after ? 'shown in the next message' : 'this model cannot read it') }
  })
  return { output: toOutput(segments, result.isError), shownAfter }
}

function toOutput(segments: readonly Segment[], isError: boolean): LanguageModelV4ToolResultOutput {
  const text = segments.flatMap((segment) => (segment.type === 'text' && segment.text !== '' ? [segment.text] : [])).join('\n')
  const files = segments.filter((segment) => segment.type === 'file')
  if (isError) return { type: 'error-text', value: text || 'The tool failed and did not say why.' }
  if (files.length === 0) return { type: 'text', value: text || '(no output)' }
  return { type: 'content', value: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files] }
}

/** A tool with structured output should say the same in text, and often does; what only the data says follows the text. */
function readablesOf(result: ToolResult): Readable[] {
  const readables = result.content.map(toReadable)
  const text = readables.map((readable) => ('text' in readable ? readable.text : '')).join('\n')
  if (result.structured === undefined || leavesOf(result.structured).every((leaf) => text.includes(leaf))) return readables
  return [...readables, { text: wellFormed(JSON.stringify(result.structured) ?? '') }]
}

/** Every value in the data, as text would write it. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}
