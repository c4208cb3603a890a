import { expect, test } from 'vitest'
import { withoutFiles } from '../../../packages/agent-api/src/messages/without-files.ts'

const data = Buffer.alloc(2_048, 7).toString('base64')
const image = { type: 'image', data, mimeType: 'image/png' } as const
const shown = '[a image/png image of 3 KiB]'

test.each([
  ['an image block', { content: [image] }, { content: [{ ...image, data: '[image/png of 3 KiB]' }] }],
  ['the data of a file', { png: data }, { png: shown }],
  ['a data URL of a file', [`data:image/png;base64,${data}`], [shown]],
  ['a blob', { uri: 'a:b', blob: 'aGF5' }, { uri: 'a:b', blob: '[a file of 1 KiB]' }],
  [
    'other texts',
    { data, blob: 7, text: 'hay', n: 1, none: null },
    { data: shown, blob: 7, text: 'hay', n: 1, none: null },
  ],
])('%s in structured content', (_, structured, expected) => {
  expect(withoutFiles(structured, [image])).toEqual(expected)
})

test('nothing is replaced twice', () => {
  const once = withoutFiles({ content: [image] }, [image])
  expect(withoutFiles(once, [image])).toEqual(once)
})
