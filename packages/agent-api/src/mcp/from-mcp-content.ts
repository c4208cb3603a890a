import type { ToolResult } from '../messages/tool.ts'
import { isRecord, pickTexts } from '../base/is-record.ts'
import { text, type ContentAnnotations, type ContentBlock, type ResourceBlock } from '../messages/content.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'

/** Servers usually send a few dozen items. Only the number of further items is reported. */
const blocksMax = 2_000
const shownTypeLength = 40

/** Converts a server's content. Malformed or unknown content becomes a text that says so. */
export function fromMcpContent(raw: unknown): ContentBlock[] {
  if (raw === undefined || raw === null) return []
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  const blocks = items.slice(0, blocksMax).map(fromMcpBlock)
  if (items.length > blocksMax) blocks.push(text(`[${items.length - blocksMax} more content items left out]`))
  return blocks
}

function fromMcpBlock(raw: unknown): ContentBlock {
  if (typeof raw === 'string') return text(raw)
  if (!isRecord(raw)) return text('[content that is not an object]')
  const block = knownBlock(raw)
  if (block !== undefined) return { ...block, ...annotationsOf(raw) }
  return text(`[content of type "${shownType(raw['type'])}" that cannot be shown]`)
}

/** Only the audience is used. An empty or unknown one hides nothing. */
function annotationsOf({ annotations }: Readonly<Record<string, unknown>>): {
  annotations?: ContentAnnotations
} {
  const given = isRecord(annotations) && Array.isArray(annotations['audience']) ? annotations['audience'] : []
  const audience = (['user', 'assistant'] as const).filter((each) => given.includes(each))
  return audience.length === 1 ? { annotations: { audience } } : {}
}

/** Never shows part of a type, because it might be part of a secret. */
function shownType(type: unknown): string {
  if (typeof type !== 'string') return 'none'
  return type.length <= shownTypeLength ? stripHiddenLine(type) : 'unknown'
}

function knownBlock(raw: Readonly<Record<string, unknown>>): ContentBlock | undefined {
  switch (raw['type']) {
    case 'text':
      return typeof raw['text'] === 'string' ? text(raw['text']) : undefined
    case 'image':
    case 'audio': {
      const { type, data, mimeType } = raw
      return typeof data === 'string' && typeof mimeType === 'string' ? { type, data, mimeType } : undefined
    }
    case 'resource_link': {
      const { uri, name, size } = raw
      if (typeof uri !== 'string') return undefined
      return {
        type: 'resource_link',
        uri,
        name: typeof name === 'string' ? name : uri,
        ...pickTexts(raw, 'title', 'description', 'mimeType'),
        ...(typeof size === 'number' && { size }),
      }
    }
    case 'resource':
      return fromMcpResourceContents(raw['resource'])
    default:
      return undefined
  }
}

/** Converts the contents of `resources/read`, which are the inside of a resource block. */
export function fromMcpResourceContents(raw: unknown): ResourceBlock | undefined {
  if (!isRecord(raw) || typeof raw['uri'] !== 'string') return undefined
  const { uri, text: body, blob } = raw
  const mime = pickTexts(raw, 'mimeType')
  if (typeof body === 'string') return { type: 'resource', resource: { uri, text: body, ...mime } }
  if (typeof blob !== 'string') return undefined
  const decoded = isTextType(mime.mimeType) ? decodeText(blob) : undefined
  return {
    type: 'resource',
    resource: decoded === undefined ? { uri, blob, ...mime } : { uri, text: decoded, ...mime },
  }
}

function isTextType(mimeType: string | undefined): boolean {
  return (
    mimeType !== undefined &&
    /^\s*(?:text\/|application\/(?:json|xml|[\w.-]+\+(?:json|xml))\s*(?:;|$))/i.test(mimeType)
  )
}

/** Undefined if the bytes are not UTF-8. */
function decodeText(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

export function toToolResult(raw: Readonly<Record<string, unknown>>): ToolResult {
  const content = fromMcpContent(raw['content'])
  const structured = raw['structuredContent']
  return { isError: raw['isError'] === true, content, structured }
}
