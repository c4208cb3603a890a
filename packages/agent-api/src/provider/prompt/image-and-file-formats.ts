import type { Vendor } from '../model.ts'
import type { LanguageModelV4FilePart } from '@ai-sdk/provider'

/** The images and other files that a model accepts, by position. Others are described in text instead of failing the request. */
export interface FileFormats {
  readonly user: RegExp
  readonly toolResult: RegExp
  /** Limit on the base64 text. Vendors reject a conversation with a larger file, in every later turn too. */
  readonly base64LengthMax: number
}

const images = 'image/(?:png|jpeg|gif|webp)'
const pdf = 'application/pdf'
const nothing = /^(?!)/
const everything = /^/
const mebibyte = 1024 * 1024

/** Verified for each AI SDK package against the scripted servers. */
export const fileFormats: Readonly<Record<Vendor, FileFormats>> = {
  anthropic: { user: only(images, pdf), toolResult: only(images, pdf), base64LengthMax: 5 * mebibyte },
  openai: { user: only(images, pdf), toolResult: only(images, pdf), base64LengthMax: 20 * mebibyte },
  google: {
    user: only(images, 'image/hei[cf]', pdf, 'audio/.+', 'video/.+'),
    // Before Gemini 3, the package writes one function response per text, and none for a lone image. A separate message always works.
    toolResult: nothing,
    base64LengthMax: 18 * mebibyte,
  },
  'openai-compatible': {
    user: only(images, pdf, 'audio/(?:wav|mpeg|mp3)'),
    // In a tool message, the package would send the base64 as text.
    toolResult: nothing,
    base64LengthMax: 20 * mebibyte,
  },
  offline: { user: everything, toolResult: everything, base64LengthMax: Infinity },
}

/** For a model that only reads text: an image would fail this request and every later one. */
export function withoutImages({ user, toolResult, ...support }: FileFormats): FileFormats {
  const without = (types: RegExp) => new RegExp(`^(?!image/)(?:${types.source})`)
  return { ...support, user: without(user), toolResult: without(toolResult) }
}

function only(...types: string[]): RegExp {
  return new RegExp(`^(?:${types.join('|')})$`)
}

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
