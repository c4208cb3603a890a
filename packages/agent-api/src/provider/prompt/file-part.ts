import type { LanguageModelV4FilePart } from '@ai-sdk/provider'

/** An image, audio or blob of ACP or MCP. */
export interface Media {
  readonly data: string
  readonly mediaType: string
  readonly uri?: string
}

export function toMedia(data: string, mimeType: string | null | undefined, uri?: string | null): Media {
  const mediaType = (mimeType ?? 'application/octet-stream').split(';')[0]?.trim().toLowerCase() ?? ''
  return { data, mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType, ...(uri && { uri }) }
}

/** Undefined if the model does not support the file: a rejected part would fail every later request. */
export function toFilePart(
  media: Media,
  accepted: RegExp,
  base64LengthMax: number,
): LanguageModelV4FilePart | undefined {
  if (!accepted.test(media.mediaType) || media.data.length > base64LengthMax || !isBase64(media.data))
    return undefined
  return { type: 'file', mediaType: media.mediaType, data: { type: 'data', data: media.data } }
}

export function describeMedia(media: Media, why: string): string {
  const size = Math.ceil((media.data.length * 3) / 4 / 1024)
  return `[${media.uri ? `${media.uri}, ` : ''}${media.mediaType}, ${size} kB: ${why}]`
}

function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
