import { describe, expect, it } from 'vitest'
import { fromAcpPrompt } from '../../../packages/acp-server/src/from-acp-prompt.ts'

const sessionId = 'session'
const resource = (fields: object) => ({ type: 'resource', resource: { uri: 'file:///a', ...fields } })

describe('fromAcpPrompt', () => {
  it.each([
    ['a text', { type: 'text', text: 'hay' }, undefined],
    [
      'an image with its place',
      { type: 'image', data: 'aGk=', mimeType: 'image/png', uri: 'file:///a.png' },
      undefined,
    ],
    ['a sound', { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }, undefined],
    [
      'a link with all there is',
      { type: 'resource_link', uri: 'file:///a', name: 'a', title: 't', size: 3 },
      undefined,
    ],
    [
      'a link whose options are of another type',
      { type: 'resource_link', uri: 'file:///a', name: 'a', title: 7, size: 'big' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
    ['a resource with a text', resource({ text: 'hay', mimeType: 'text/plain' }), undefined],
    ['a resource with bytes', resource({ blob: 'aGk=' }), undefined],
  ])('accepts %s', (_, block, expected) => {
    expect(fromAcpPrompt({ sessionId, prompt: [block] })).toEqual({ sessionId, content: [expected ?? block] })
  })

  it.each([
    ['no prompt', undefined, 'prompt'],
    ['an empty prompt', [], 'prompt'],
    ['a block that is no object', ['hay'], 'prompt[0]'],
    ['an unknown block', [{ type: 'text', text: 'a' }, { type: 'smell' }], 'prompt[1].type'],
    ['a text without text', [{ type: 'text' }], 'prompt[0].text'],
    [
      'an image that is not base64',
      [{ type: 'image', data: '<hay>', mimeType: 'image/png' }],
      'prompt[0].data',
    ],
    ['bytes that are not base64', [resource({ blob: '<hay>' })], 'prompt[0].resource.blob'],
    ['a resource without content', [resource({})], 'prompt[0].resource'],
  ])('refuses %s, and names the field', (_, prompt, field) => {
    expect(() => fromAcpPrompt({ sessionId, prompt })).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ field }) }),
    )
  })
})
