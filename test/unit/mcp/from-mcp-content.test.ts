import { describe, expect, it } from 'vitest'
import { fromMcpContent } from '../../../packages/agent-api/src/mcp/from-mcp-content.ts'

describe('fromMcpContent', () => {
  it.each([
    ['nothing', undefined, []],
    ['null', null, []],
    ['a text', { type: 'text', text: 'hay' }, [{ type: 'text', text: 'hay' }]],
    ['a bare text', 'hay', [{ type: 'text', text: 'hay' }]],
    [
      'an image',
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
    ],
    [
      'a sound',
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }],
    ],
    [
      'a link without a name',
      { type: 'resource_link', uri: 'a:b' },
      [{ type: 'resource_link', uri: 'a:b', name: 'a:b' }],
    ],
    [
      'a link with all there is, and one field of a wrong type',
      { type: 'resource_link', uri: 'a:b', name: 'n', title: 't', description: 7, size: 3 },
      [{ type: 'resource_link', uri: 'a:b', name: 'n', title: 't', size: 3 }],
    ],
    [
      'a resource with a text',
      { type: 'resource', resource: { uri: 'a:b', text: 'hay', mimeType: 'text/plain' } },
      [{ type: 'resource', resource: { uri: 'a:b', text: 'hay', mimeType: 'text/plain' } }],
    ],
    [
      'a resource with bytes',
      { type: 'resource', resource: { uri: 'a:b', blob: 'aGk=' } },
      [{ type: 'resource', resource: { uri: 'a:b', blob: 'aGk=' } }],
    ],
    [
      'a text in bytes',
      { type: 'resource', resource: { uri: 'a:b', blob: 'aGk=', mimeType: 'text/markdown; charset=utf-8' } },
      [{ type: 'resource', resource: { uri: 'a:b', text: 'hi', mimeType: 'text/markdown; charset=utf-8' } }],
    ],
    [
      'a text type with invalid bytes',
      { type: 'resource', resource: { uri: 'a:b', blob: '/w==', mimeType: 'text/plain' } },
      [{ type: 'resource', resource: { uri: 'a:b', blob: '/w==', mimeType: 'text/plain' } }],
    ],
  ])('converts %s', (_, raw, expected) => {
    expect(fromMcpContent(raw)).toEqual(expected)
  })

  it.each([
    ['a number', 7, '[content that is not an object]'],
    ['no type', {}, '[content of type "none" that cannot be shown]'],
    ['an unknown type', { type: 'hay\u200Bstack' }, '[content of type "haystack" that cannot be shown]'],
    ['an invalid text', { type: 'text', text: 7 }, '[content of type "text" that cannot be shown]'],
    [
      'an image without a type',
      { type: 'image', data: 'aGk=' },
      '[content of type "image" that cannot be shown]',
    ],
    [
      'a sound without data',
      { type: 'audio', mimeType: 'audio/wav' },
      '[content of type "audio" that cannot be shown]',
    ],
    [
      'a link without an address',
      { type: 'resource_link', name: 'n' },
      '[content of type "resource_link" that cannot be shown]',
    ],
    [
      'an invalid resource',
      { type: 'resource', resource: 'a:b' },
      '[content of type "resource" that cannot be shown]',
    ],
    [
      'a resource without content',
      { type: 'resource', resource: { uri: 'a:b' } },
      '[content of type "resource" that cannot be shown]',
    ],
  ])('replaces %s by a note', (_, raw, text) => {
    expect(fromMcpContent([raw])).toEqual([{ type: 'text', text }])
  })

  it('leaves out content over the limit, and reports how much', () => {
    const blocks = fromMcpContent(Array.from({ length: 2_003 }, () => 'hay'))
    expect(blocks).toHaveLength(2_001)
    expect(blocks.at(-1)).toEqual({ type: 'text', text: '[3 more content items left out]' })
  })
})
