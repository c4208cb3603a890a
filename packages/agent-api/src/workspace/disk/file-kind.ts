import { createTextDecoder, formOf, type TextForm } from './text-encoding.ts'

/** The kind of content, judged by the first bytes. */
export type FileKind =
  | { readonly type: 'text' }
  /** Models can look at it. */
  | { readonly type: 'media'; readonly mimeType: string }
  | { readonly type: 'binary'; readonly description: string }

export const kindBytes = 8_192

export function kindOf(start: Buffer): FileKind {
  const form = formOf(start)
  if (form.encoding !== 'utf-8' || isText(start, form)) return { type: 'text' }
  const known = signatures.find(({ bytes, at = 0 }) => start.subarray(at, at + bytes.length).equals(bytes))
  if (known?.mimeType !== undefined) return { type: 'media', mimeType: known.mimeType }
  if (known?.description !== undefined) return { type: 'binary', description: known.description }
  return start.includes(0) ? { type: 'binary', description: 'a binary file' } : { type: 'text' }
}

/** The last character may be cut. */
function isText(start: Buffer, form: TextForm): boolean {
  if (start.includes(0)) return false
  try {
    createTextDecoder(form).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

interface Signature {
  readonly bytes: Buffer
  readonly at?: number
  readonly mimeType?: string
  readonly description?: string
}

const media = (text: string, mimeType: string, at = 0): Signature => ({
  bytes: Buffer.from(text, 'latin1'),
  at,
  mimeType,
})
const binary = (text: string, description: string, at = 0): Signature => ({
  bytes: Buffer.from(text, 'latin1'),
  at,
  description,
})

const signatures: readonly Signature[] = [
  media('\x89PNG\r\n\x1a\n', 'image/png'),
  media('\xff\xd8\xff', 'image/jpeg'),
  media('GIF87a', 'image/gif'),
  media('GIF89a', 'image/gif'),
  media('WEBP', 'image/webp', 8),
  media('%PDF-', 'application/pdf'),
  binary('\x7fELF', 'a program (ELF)'),
  binary('\xfe\xed\xfa\xce', 'a program (Mach-O)'),
  binary('\xcf\xfa\xed\xfe', 'a program (Mach-O)'),
  binary('\xca\xfe\xba\xbe', 'a Java class or a program (Mach-O)'),
  binary('MZ\x90\x00', 'a program (Windows)'),
  binary('\0asm', 'a WebAssembly module'),
  binary('PK\x03\x04', 'a ZIP archive (or a document in one, such as DOCX or JAR)'),
  binary('PK\x05\x06', 'an empty ZIP archive'),
  binary('\x1f\x8b', 'a gzip archive'),
  binary('BZh', 'a bzip2 archive'),
  binary('\xfd7zXZ\0', 'an xz archive'),
  binary('\x28\xb5\x2f\xfd', 'a zstd archive'),
  binary('7z\xbc\xaf\x27\x1c', 'a 7-Zip archive'),
  binary('Rar!\x1a\x07', 'a RAR archive'),
  binary('ustar', 'a tar archive', 257),
  binary('SQLite format 3\0', 'a SQLite database'),
  binary('ftyp', 'a video or an image (MP4, HEIC)', 4),
  binary('ID3', 'an MP3 sound'),
  binary('OggS', 'an Ogg sound or video'),
  binary('fLaC', 'a FLAC sound'),
  binary('WAVE', 'a WAV sound', 8),
  binary('II*\0', 'a TIFF image'),
  binary('MM\0*', 'a TIFF image'),
  binary('\0\0\x01\0', 'an icon (ICO)'),
  binary('wOF2', 'a font (WOFF2)'),
  binary('wOFF', 'a font (WOFF)'),
  binary('\0\x01\0\0\0', 'a font (TrueType)'),
  binary('OTTO', 'a font (OpenType)'),
  binary('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an old Office document'),
]
