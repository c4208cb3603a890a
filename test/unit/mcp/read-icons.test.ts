import { expect, test } from 'vitest'
import { createIconReader } from '../../../packages/agent-api/src/mcp/read-icons.ts'

const data = 'data:image/png;base64,AAAA'
const large = `data:image/png;base64,${'A'.repeat(16_000)}`

test.each<[string, unknown, readonly string[]]>([
  ['a data image', [{ src: data }], [data]],
  ['an https address', [{ src: 'https://example.com/a.png' }], ['https://example.com/a.png']],
  ['the first two', [{ src: data }, { src: `${data}AA` }, { src: `${data}BB` }], [data, `${data}AA`]],
  ['the usable ones', [null, { src: 5 }, { src: data }, 'x'], [data]],
  ['nothing that is not a list', { src: data }, []],
  ['no http', [{ src: 'http://example.com/a.png' }], []],
  ['no credentials', [{ src: 'https://me:secret@example.com/a.png' }], []],
  ['no script', [{ src: 'javascript:alert(1)' }], []],
  ['no file', [{ src: 'file:///etc/passwd' }], []],
  ['no page in data', [{ src: 'data:text/html;base64,AAAA' }], []],
  ['no picture that is not in base64', [{ src: 'data:image/svg+xml,<svg onload="alert(1)"/>' }], []],
  ['no more after a type', [{ src: 'data:image/png;base64,AAAA"onerror="alert(1)' }], []],
  ['no large picture', [{ src: `${large}${'A'.repeat(1_000)}` }], []],
  ['no long address', [{ src: `https://example.com/${'a'.repeat(3_000)}` }], []],
])('reads %s', (_, raw, expected) => {
  expect((createIconReader()(raw).icons ?? []).map(({ src }) => src)).toEqual(expected)
})

test('keeps a known type and theme', () => {
  expect(createIconReader()([{ src: data, mimeType: 'image/png', theme: 'dark', sizes: ['any'] }])).toEqual({
    icons: [{ src: data, mimeType: 'image/png', theme: 'dark' }],
  })
  expect(createIconReader()([{ src: data, mimeType: 'text/html', theme: 'pink' }])).toEqual({
    icons: [{ src: data }],
  })
})

test('a whole list has a budget', () => {
  const read = createIconReader()
  const kept = Array.from({ length: 100 }, () => read([{ src: large }])).filter(
    ({ icons }) => icons !== undefined,
  )
  expect(kept).toHaveLength(16)
})
