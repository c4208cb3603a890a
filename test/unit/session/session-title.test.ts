import { expect, it } from 'vitest'
import type { ContentBlock } from '../../../packages/agent-api/src/messages/content.ts'
import { toTitle } from '../../../packages/agent-api/src/session/session-title.ts'

const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const image: ContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' }

it.each<[string, readonly ContentBlock[], string]>([
  ['its words in one line', [text('Feed\n\n the '), image, text('mare')], 'Feed the mare'],
  ['cut at a word', [text('hay '.repeat(30))], `${'hay '.repeat(19).trimEnd()}…`],
  ['cut anywhere, where a word is too long', [text('h'.repeat(100))], `${'h'.repeat(79)}…`],
  ['an image', [image], 'Image'],
  ['a sound', [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }], 'Audio'],
  ['the name of a link', [{ type: 'resource_link', uri: 'file:///a', name: 'a.txt' }], 'a.txt'],
  [
    'the address of a resource',
    [{ type: 'resource', resource: { uri: 'file:///b', text: 'b' } }],
    'file:///b',
  ],
  ['nothing', [], 'Empty prompt'],
])('the title of a prompt is %s', (_, content, title) => {
  expect(toTitle(content)).toBe(title)
})
