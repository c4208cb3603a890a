/** Kinds of image that are pixels and nothing else. An SVG can carry a program. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const audioType = /^audio\/[a-z0-9][a-z0-9.+-]{0,60}$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** An address that holds the picture itself, or undefined for what is not shown. */
export function toImageSource(mimeType: string, data: string): string | undefined {
  const type = mimeType.toLowerCase()
  return imageTypes.has(type) && base64.test(data) ? `data:${type};base64,${data}` : undefined
}

export function toAudioSource(mimeType: string, data: string): string | undefined {
  const type = mimeType.toLowerCase()
  return audioType.test(type) && base64.test(data) ? `data:${type};base64,${data}` : undefined
}

export function bytesOfBase64(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4)
}

export function fromBase64(data: string): Uint8Array<ArrayBuffer> {
  const binary = atob(data)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** The value of a text that is a JSON object or array as a whole. */
export function parseJsonText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
