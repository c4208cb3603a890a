import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createImageFilter,
  withoutRemoteImages,
} from '../../../packages/agent-api/src/session/remote-images.ts'

const far = 'https://example.com/a.png?d=secret'

function inPieces(pieces: readonly string[]): string {
  const filter = createImageFilter()
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end()
}

describe('a remote image becomes text', () => {
  it.each([
    ['inline', `a ![alt](${far}) b`, String.raw`a !\[alt](${far}) b`],
    ['with a title', `![alt](${far} "title")`, String.raw`!\[alt](${far} "title")`],
    ['in angle brackets', `![alt](<${far}>)`, String.raw`!\[alt](<${far}>)`],
    ['without a protocol', '![](//example.com/a.png)', String.raw`!\[](//example.com/a.png)`],
    ['with a backslash', '![](/\\example.com/a)', String.raw`!\[](/\example.com/a)`],
    ['with an entity', '![](&#104;ttps://example.com)', String.raw`!\[](&#104;ttps://example.com)`],
    ['of a share', '![](file://host/share)', String.raw`!\[](file://host/share)`],
    ['over two lines', `![alt\ntext](\n  ${far})`, `!\\[alt\ntext](\n  ${far})`],
    ['behind spaces', `![alt](  ${far})`, String.raw`!\[alt](  ${far})`],
    ['with brackets and code in its text', `![a [b] \`]\` c](${far})`, `!\\[a [b] \`]\` c](${far})`],
    [
      'behind a backslash',
      String.raw`\![alt](${far}) \\![alt](${far})`,
      String.raw`\!\[alt](${far}) \\!\[alt](${far})`,
    ],
    ['in a list and a quote', `> - ![alt](${far})`, String.raw`> - !\[alt](${far})`],
    ['by a reference', `![alt][r]\n\n[r]: ${far}`, `![alt][r]\n\n[r]\\: ${far}`],
    ['by a reference without a space', `![r]\n\n[r]:${far}`, `![r]\n\n[r]\\:${far}`],
    ['by a reference that came first', `[r]: ${far}\n\n![alt][r]`, `[r]: ${far}\n\n!\\[alt][r]`],
    ['in HTML', `<img alt=">" src="${far}">`, `&lt;img alt=">" src="${far}">`],
    ['in HTML over lines', `<p>\n<img\nsrc='//example.com/a'>`, `<p>\n&lt;img\nsrc='//example.com/a'>`],
    ['in HTML behind a backslash', `\\<img/src=${far}>`, `\\&lt;img/src=${far}>`],
    [
      'in a style',
      `<style>@import '//example.com/a';</style>`,
      `&lt;style>@import '//example.com/a';</style>`,
    ],
    ['in a fence within a list', `- a\n  \`\`\`\nb ![alt](${far})`, `- a\n  \`\`\`\nb !\\[alt](${far})`],
    ['behind a fence in HTML', `<div>\n\`\`\`\n\n![alt](${far})`, `<div>\n\`\`\`\n\n!\\[alt](${far})`],
    [
      'behind a block of code',
      `\`\`\`\ncode\n\`\`\`\n![alt](${far})`,
      `\`\`\`\ncode\n\`\`\`\n!\\[alt](${far})`,
    ],
    [
      'in the line before a block of code',
      `![alt](${far})\n\`\`\`\ncode\n\`\`\`\n`,
      `!\\[alt](${far})\n\`\`\`\ncode\n\`\`\`\n`,
    ],
    [
      'in HTML before a block of code',
      `a\n<img src="${far}">\n~~~\ncode`,
      `a\n&lt;img src="${far}">\n~~~\ncode`,
    ],
    [
      'by a reference before a block of code',
      `[r]: ${far}\n~~~\ncode\n~~~\n![r]`,
      `[r]: ${far}\n~~~\ncode\n~~~\n!\\[r]`,
    ],
    [
      'between two backticks and a block of code',
      `a \`\`\`\n![alt](${far})\n\`\`\`\n`,
      `a \`\`\`\n!\\[alt](${far})\n\`\`\`\n`,
    ],
    [
      'in a paragraph that is too long',
      `![${'a\n'.repeat(3_000)}](${far})`,
      `!\\[${'a\n'.repeat(3_000)}](${far})`,
    ],
  ])('%s', (_, text, expected) => {
    expect(withoutRemoteImages(text)).toBe(expected)
    expect(inPieces([...text])).toBe(expected)
  })
})

describe('everything else stays', () => {
  it.each([
    ['a link', `[docs](${far}) and <https://example.com> and ${far}`],
    ['a link by a reference', `[docs][1]\n\n[1]: ${far}`],
    ['an image on this machine', '![a](./a.png) ![b](/b.png) ![c](data:image/png;base64,AA==)'],
    [
      'a block of code',
      `\`\`\`md\n![alt](${far})\n<img src="${far}">\n\`\`\`\n\n~~~\n\n![alt](${far})\n~~~\n`,
    ],
    ['a macro', 'Write `vec![1, 2]`. And more!\n\nBut [x]: no'],
    ['generics and comparisons', 'Map<string, number>, a < b, <b>bold</b>, List<T>'],
    ['Windows', 'a\r\n\r\nb!\r\n```\r\n![a](https://x)\r\n```\r\n'],
  ])('%s', (_, text) => {
    expect(withoutRemoteImages(text)).toBe(text)
    expect(inPieces([...text])).toBe(text)
  })
})

it('does not wait for the end of a long line', () => {
  for (const sign of ['`', '~', '-', ' ', '~~~ a', '![', '](', '<a ']) {
    const filter = createImageFilter()
    let kept = 0
    for (let pieces = 0; pieces < 20_000; pieces++) kept += sign.length - filter.push(sign).length
    expect(kept).toBeLessThan(5_000)
  }
  expect(inPieces(['![', 'a'.repeat(4_000), '!', `[alt](${far})`])).toContain(String.raw`!\[alt]`)
  expect(inPieces([...`\`\`\`\na\n${'`'.repeat(300)}\n![alt](${far})`])).toContain(String.raw`!\[alt]`)
})

it('the result does not depend on how the text is cut', () => {
  const part = fc.constantFrom(
    '![',
    ']',
    '(',
    far,
    ')',
    '\n',
    '\n\n',
    '```',
    '~~~',
    'a',
    ' ',
    '!',
    '<img ',
    '<',
    '[r]: ',
    '- ',
    '\\',
    '>',
    './a.png',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
      (parts, lengths) => {
        const text = parts.join('')
        const pieces: string[] = []
        for (let at = 0, index = 0; at < text.length; index++) {
          const length = lengths[index % lengths.length] ?? 1
          pieces.push(text.slice(at, at + length))
          at += length
        }
        expect(inPieces(pieces)).toBe(withoutRemoteImages(text))
      },
    ),
    { numRuns: 400 },
  )
})

it('shows text that cannot be an image at once', () => {
  const filter = createImageFilter()
  expect(filter.push('Hello')).toBe('Hello')
  expect(filter.push(' there!')).toBe(' there')
  expect(filter.push(' Code:\n```rust\n')).toBe('! Code:\n```rust\n')
  expect(filter.push('vec![1')).toBe('vec![1')
})
