import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { ContentBlock } from '../../messages/content.ts'
import { toReadable } from './block-text.ts'
import { describeMedia, toFilePart } from './file-part.ts'
import type { MediaSupport } from './media-support.ts'

export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

/** Never empty: vendors reject a message without content or with empty text. */
export function toUserContent(blocks: readonly ContentBlock[], support: MediaSupport): UserPart[] {
  const parts = blocks.map((block): UserPart => {
    const readable = toReadable(block)
    if ('text' in readable) return { type: 'text', text: readable.text }
    return (
      toFilePart(readable.media, support.user, support.base64LengthMax) ?? {
        type: 'text',
        text: describeMedia(readable.media, 'this model cannot read it'),
      }
    )
  })
  const nonEmpty = parts.filter((part) => part.type === 'file' || part.text.trim() !== '')
  return nonEmpty.length > 0 ? nonEmpty : [{ type: 'text', text: '(an empty message)' }]
}
