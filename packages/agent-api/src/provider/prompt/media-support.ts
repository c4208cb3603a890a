import type { Vendor } from '../model.ts'

/** Which files a model can be shown, and where. What it cannot be shown is described in words instead of failing the request. */
export interface MediaSupport {
  readonly user: RegExp
  readonly toolResult: RegExp
  /** Of the base64 text: larger files make the vendor refuse the whole conversation, now and on every later turn. */
  readonly base64LengthMax: number
}

const images = 'image/(?:png|jpeg|gif|webp)'
const pdf = 'application/pdf'
const nothing = /^(?!)/
const everything = /^/
const mebibyte = 1024 * 1024

/** What each AI SDK package makes of file parts, tried against the scripted servers. */
export const mediaSupport: Readonly<Record<Vendor, MediaSupport>> = {
  anthropic: { user: only(images, pdf), toolResult: only(images, pdf), base64LengthMax: 5 * mebibyte },
  openai: { user: only(images, pdf), toolResult: only(images, pdf), base64LengthMax: 20 * mebibyte },
  google: {
    user: only(images, 'image/hei[cf]', pdf, 'audio/.+', 'video/.+'),
    // Before Gemini 3 the package writes one function response per text and none for a lone image; a message of its own always works.
    toolResult: nothing,
    base64LengthMax: 18 * mebibyte,
  },
  'openai-compatible': {
    user: only(images, pdf, 'audio/(?:wav|mpeg|mp3)'),
    // In a tool message the package would write the base64 out as text.
    toolResult: nothing,
    base64LengthMax: 20 * mebibyte,
  },
  offline: { user: everything, toolResult: everything, base64LengthMax: Infinity },
}

function only(...types: string[]): RegExp {
  return new RegExp(`^(?:${types.join('|')})$`)
}
