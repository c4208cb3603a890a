import type { Vendor } from '../model.ts'

/** The files that a model accepts, by position. Other files are described in text instead of failing the request. */
export interface MediaSupport {
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
export const mediaSupport: Readonly<Record<Vendor, MediaSupport>> = {
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
export function withoutImages({ user, toolResult, ...support }: MediaSupport): MediaSupport {
  const without = (types: RegExp) => new RegExp(`^(?!image/)(?:${types.source})`)
  return { ...support, user: without(user), toolResult: without(toolResult) }
}

function only(...types: string[]): RegExp {
  return new RegExp(`^(?:${types.join('|')})$`)
}
