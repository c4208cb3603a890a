import type { Audience, ContentBlock } from './content.ts'
import type { ToolOutput, ToolResult } from './tool.ts'

/** A part without annotations is for both. */
export function isFor(audience: Audience, item: ToolOutput | ContentBlock): boolean {
  const named = 'annotations' in item ? item.annotations?.audience : undefined
  return named === undefined || named.includes(audience)
}

/** The structured content if there is any, otherwise the text. */
export function toRawOutput(result: ToolResult): unknown {
  if (result.structured !== undefined) return result.structured
  return result.content
    .filter((item) => isFor('user', item))
    .map(toPlainText)
    .join('\n')
}

export function toPlainText(item: ToolOutput | ContentBlock): string {
  switch (item.type) {
    case 'text':
    case 'terminal':
      return item.text
    case 'image':
    case 'audio':
      return `[${item.type}: ${item.mimeType}]`
    case 'resource_link':
      return `[${item.name}](${item.uri})`
    case 'resource':
      return 'text' in item.resource ? item.resource.text : `[resource: ${item.resource.uri}]`
    case 'diff':
      return `[changed ${item.path}]`
  }
}

export function textOf(item: ToolOutput): string | undefined {
  if (item.type === 'text' || item.type === 'terminal') return item.text
  return item.type === 'resource' && 'text' in item.resource ? item.resource.text : undefined
}

export function withText(item: ToolOutput, text: string): ToolOutput {
  switch (item.type) {
    case 'text':
    case 'terminal':
      return { ...item, text }
    case 'resource':
      return 'text' in item.resource ? { ...item, resource: { ...item.resource, text } } : item
    default:
      return item
  }
}

export function binaryLength(item: ToolOutput): number {
  if (item.type === 'image' || item.type === 'audio') return item.data.length
  return item.type === 'resource' && 'blob' in item.resource ? item.resource.blob.length : 0
}

export function describe(item: ToolOutput): string {
  if (item.type === 'image' || item.type === 'audio')
    return `a ${item.mimeType} ${item.type} of ${Math.ceil((item.data.length * 3) / 4 / 1024)} KiB`
  return item.type === 'resource' ? `the resource ${item.resource.uri}` : `a ${item.type}`
}
