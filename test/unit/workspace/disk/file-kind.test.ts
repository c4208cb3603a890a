import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { kindOf } from '../../../../packages/agent-api/src/workspace/disk/file-kind.ts'
import {
  decodeText,
  encodeText,
  formOf,
} from '../../../../packages/agent-api/src/workspace/disk/text-encoding.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['words', Buffer.from('words')],
  ['a byte order mark', Buffer.from('\uFEFFwords')],
  ['a character that is cut', Buffer.from('東').subarray(0, 2)],
  ['UTF-16', Buffer.from('\uFEFFwords', 'utf16le')],
  ['UTF-16, the other way', Buffer.from('\uFEFFwords', 'utf16le').swap16()],
  ['words that are also a signature', Buffer.from('BZh, OggS and ID3 are signatures')],
  ['words with a signature in the fifth place', Buffer.from('the ftyp')],
  ['bytes that are not UTF-8', latin1('caf\xe9')],
])('%s is text', (_, bytes) => {
  expect(kindOf(bytes)).toEqual({ type: 'text' })
})

test.each<[string, Buffer]>([
  ['image/png', latin1('\x89PNG\r\n\x1a\n\0\0')],
  ['image/jpeg', latin1('\xff\xd8\xff\xe0')],
  ['image/gif', latin1('GIF89a\x01\0')],
  ['image/webp', latin1('RIFF\0\0\0\0WEBPVP8 ')],
  ['application/pdf', latin1('%PDF-1.7\n\xe2\xe3')],
])('%s is shown', (mimeType, bytes) => {
  expect(kindOf(bytes)).toEqual({ type: 'media', mimeType })
})

test.each<[RegExp, Buffer]>([
  [/program \(ELF\)/, latin1('\x7fELF\x02\x01\x01\0')],
  [/gzip/, gzipSync('x')],
  [/ZIP/, latin1('PK\x03\x04\x14\0')],
  [/SQLite/, latin1('SQLite format 3\0')],
  [/WebAssembly/, latin1('\0asm\x01\0\0\0')],
  [/video or an image/, latin1('\0\0\0\x20ftypisom')],
  [/tar/, Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0')])],
  [/a binary file/, latin1('a\0b')],
])('a binary file is named: %s', (description, bytes) => {
  expect(kindOf(bytes)).toEqual({ type: 'binary', description: expect.stringMatching(description) })
})

test('random bytes are not decodable text', () => {
  const bytes = deflateRawSync(Buffer.from('the same words again, '.repeat(50)))
  expect(kindOf(bytes).type === 'text' ? decodeText(bytes, formOf(bytes)) : undefined).toBeUndefined()
})

test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('a text in %s is restored as it was', (encoding) => {
  for (const text of ['', 'words\r\n', 'Zürich, 東京 🎉']) {
    const form = { encoding, hasBom: true }
    const bytes = encodeText(text, form)
    expect(formOf(bytes)).toEqual(form)
    expect(decodeText(bytes, form)).toBe(text)
  }
})
