import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { isFor } from '../../messages/tool-output.ts'
import type { ToolResult } from '../../messages/tool.ts'
import { isFile, withoutFiles } from '../../messages/without-files.ts'
import { toReadable, wellFormed, type Readable } from './block-text.ts'
import { describeMedia, toFilePart, type FileFormats } from './image-and-file-formats.ts'

interface ToolOutputForModel {
  readonly output: LanguageModelV4ToolResultOutput
  /** Files that the model supports, but not within a tool result. Sent in a separate message after it. */
  readonly shownAfter: readonly LanguageModelV4FilePart[]
}

type Segment = { readonly type: 'text'; readonly text: string } | LanguageModelV4FilePart

/** Converts a result to one text if possible, otherwise to `content` with files. */
export function toToolOutput(result: ToolResult, support: FileFormats): ToolOutputForModel {
  const shownAfter: LanguageModelV4FilePart[] = []
  // An error cannot contain files.
  const accepted = result.isError ? /^(?!)/ : support.toolResult
  const segments = readablesOf(result).map((readable): Segment => {
    if ('text' in readable) return { type: 'text', text: readable.text }
    const inside = toFilePart(readable.media, accepted, support.base64LengthMax)
    if (inside) return inside
    const after = toFilePart(readable.media, support.user, support.base64LengthMax)
    if (after) shownAfter.push(after)
    return {
      type: 'text',
      text: describeMedia(readable.media, after ? 'shown in the next message' : 'this model cannot read it'),
    }
  })
  return { output: toOutput(segments, result.isError), shownAfter }
}

function toOutput(segments: readonly Segment[], isError: boolean): LanguageModelV4ToolResultOutput {
  const text = segments
    .flatMap((segment) => (segment.type === 'text' && segment.text !== '' ? [segment.text] : []))
    .join('\n')
  const files = segments.filter((segment) => segment.type === 'file')
  if (isError) return { type: 'error-text', value: text || 'The tool failed without a message.' }
  if (files.length === 0) return { type: 'text', value: text || '(no output)' }
  return { type: 'content', value: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files] }
}

/** Structured content usually repeats the text. It is appended only if the text lacks some of its values. */
function readablesOf(result: ToolResult): Readable[] {
  const all = result.content.map(toReadable)
  const readables = result.content.filter((item) => isFor('assistant', item)).map(toReadable)
  // With the texts for the person, so that structured content does not repeat them for the model.
  const text = all.map((readable) => ('text' in readable ? readable.text : '')).join('\n')
  if (result.structured === undefined || leavesOf(result.structured).every((leaf) => text.includes(leaf)))
    return readables
  return [
    ...readables,
    { text: wellFormed(JSON.stringify(withoutFiles(result.structured, result.content)) ?? '') },
  ]
}

/** All scalar values, as text, except those of files. */
function leavesOf(value: unknown): string[] {
  if (isFile(value)) return []
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}
