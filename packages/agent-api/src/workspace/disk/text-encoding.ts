type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** It is kept when the text changes. */
export interface TextForm {
  readonly encoding: Encoding
  readonly hasBom: boolean
}

export const plainForm: TextForm = { encoding: 'utf-8', hasBom: false }

export const byteOrderMark = '\uFEFF'

/** UTF-16 is recognized by its byte order mark only. */
export function formOf(start: Buffer): TextForm {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', hasBom: true }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', hasBom: true }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', hasBom: true }
  return plainForm
}

/** Decodes the pieces of a file, without its byte order mark. Throws a `TypeError` for bytes that are not text in this encoding. */
export function createTextDecoder({ encoding }: TextForm): TextDecoder {
  return new TextDecoder(encoding, { fatal: true })
}

/** Undefined if the bytes are not text in this encoding. */
export function decodeText(bytes: Buffer, form: TextForm): string | undefined {
  try {
    return createTextDecoder(form).decode(bytes)
  } catch {
    return undefined
  }
}

export function encodeText(text: string, { encoding, hasBom }: TextForm): Buffer {
  const whole = hasBom ? byteOrderMark + text : text
  if (encoding === 'utf-8') return Buffer.from(whole, 'utf8')
  const bytes = Buffer.from(whole, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}

const forms: readonly TextForm[] = [
  plainForm,
  { encoding: 'utf-8', hasBom: true },
  { encoding: 'utf-16le', hasBom: true },
  { encoding: 'utf-16be', hasBom: true },
]

export function toStoredForm({ encoding, hasBom }: TextForm): string {
  return hasBom ? `${encoding} bom` : encoding
}

export function fromStoredForm(stored: string): TextForm {
  return forms.find((form) => toStoredForm(form) === stored) ?? plainForm
}
