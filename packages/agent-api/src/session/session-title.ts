import type { ContentBlock } from '../messages/content.ts'

const titleCharsMax = 80

/** The beginning of a prompt's text. Without text, the name of its first block. */
export function toTitle(content: readonly ContentBlock[]): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return content[0] === undefined ? 'Empty prompt' : nameOf(content[0])
  if (line.length <= titleCharsMax) return line
  const cut = line.slice(0, titleCharsMax - 1)
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > titleCharsMax / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}

function nameOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
      return 'Image'
    case 'audio':
      return 'Audio'
    case 'resource_link':
      return block.name
    case 'resource':
      return block.resource.uri
  }
}
