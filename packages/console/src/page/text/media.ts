/** Bitmap images only. An SVG can contain scripts. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const audioType = /^audio\/[a-z0-9][a-z0-9.+-]{0,60}$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A data URL, or undefined for a medium that is not shown. */
export function toSource(kind: 'image' | 'audio', mimeType: string, data: string): string | undefined {
  const type = mimeType.toLowerCase()
  const isShown = kind === 'image' ? imageTypes.has(type) : audioType.test(type)
  return isShown && base64.test(data) ? `data:${type};base64,${data}` : undefined
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

/** The value, if the whole text is a JSON object or array. */
export function parseJsonText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
