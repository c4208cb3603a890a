import { promptText, type ContentBlock } from '../messages/content.ts'
import type { SessionRecord } from './session-record.ts'

const titleCharsMax = 80
const searchedCharsMax = 4_096

type Titled = Pick<SessionRecord, 'settings' | 'membranes'>

export function nameSession(record: Titled, content: readonly ContentBlock[]): void {
  const { settings } = record
  if (settings.current.title === null) settings.change({ title: firstTitle(record, content) })
}

/** No part of a secret is left where a text is cut. */
export function firstTitle({ membranes }: Titled, content: readonly ContentBlock[]): string {
  const { strike, texts } = membranes
  const cleanStart = (text: string) =>
    texts.clean(text.slice(0, searchedCharsMax), text.length > searchedCharsMax)
  const clean = content.map((block) =>
    block.type === 'text' ? { ...block, text: cleanStart(block.text.trimStart()) } : block,
  )
  return strike(toTitle(clean))
}

export function toTitle(content: readonly ContentBlock[]): string {
  const text = promptText(content)
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
