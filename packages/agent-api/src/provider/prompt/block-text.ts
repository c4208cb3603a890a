import type { ContentBlock, ResourceLinkBlock } from '../../messages/content.ts'
import type { ToolOutput } from '../../messages/tool.ts'
import { toMedia, type Media } from './image-and-file-formats.ts'

/** A content block as text or as a file. */
export type Readable = { readonly text: string } | { readonly media: Media }

export function toReadable(block: ContentBlock | ToolOutput): Readable {
  switch (block.type) {
    case 'text':
      return { text: wellFormed(block.text) }
    case 'image':
      return { media: toMedia(block.data, block.mimeType, block.uri) }
    case 'audio':
      return { media: toMedia(block.data, block.mimeType) }
    case 'resource_link':
      return { text: wellFormed(linkText(block)) }
    case 'resource':
      return 'text' in block.resource
        ? { text: wellFormed(`Content of ${block.resource.uri}:\n${block.resource.text}`) }
        : { media: toMedia(block.resource.blob, block.resource.mimeType, block.resource.uri) }
    case 'diff':
      return { text: wellFormed(`${block.oldText === null ? 'Created' : 'Edited'} ${block.path}`) }
    case 'terminal':
      return { text: wellFormed(block.text) }
  }
}

/** Vendors reject lone surrogates. One in a tool's output would fail every later request. */
export function wellFormed(text: string): string {
  return text.toWellFormed()
}

function linkText(link: ResourceLinkBlock): string {
  const label = `[${link.title ?? link.name}](${link.uri})`
  return link.description ? `${label}: ${link.description}` : label
}
