import { describe, expect, it } from 'vitest'
import { toRawOutput } from '../../../packages/agent-api/src/messages/tool-output.ts'
import { cleanOutputs } from '../../../packages/agent-api/src/redaction/redact-result.ts'
import {
  capResult,
  resultItemsMax,
  resultTextCharsMax,
} from '../../../packages/agent-api/src/tools/cap-result.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import type { ToolOutput } from '../../../packages/agent-api/src/messages/tool.ts'

const cap = (content: ToolOutput[], structured?: unknown) =>
  capResult({ isError: false, content, structured })

describe('capResult', () => {
  it('leaves a result of every kind unchanged', () => {
    const content: ToolOutput[] = [
      { type: 'text', text: 'hello' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' } },
    ]
    expect(cap(content, { a: 1 })).toEqual({ isError: false, content, structured: { a: 1 } })
  })

  it('cuts long text and reports how much', () => {
    const [first] = cap([{ type: 'text', text: 'x'.repeat(resultTextCharsMax + 5) }]).content
    expect(first).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/\[truncated: 5 of 100005 characters omitted\]$/),
    })
  })

  it('counts the text of all items together', () => {
    const half = 'x'.repeat(resultTextCharsMax / 2)
    const { content } = cap([half, half, 'more'].map((text) => ({ type: 'text', text })))
    expect(content[2]).toMatchObject({ text: expect.stringContaining('4 of 4 characters omitted') })
  })

  it('reports how many items were too many', () => {
    const { content } = cap(Array.from({ length: resultItemsMax + 3 }, () => ({ type: 'text', text: 'x' })))
    expect(content).toHaveLength(resultItemsMax + 1)
    expect(content.at(-1)).toMatchObject({
      text: `[3 more items omitted: a result may have ${resultItemsMax}]`,
    })
  })

  it('limits structured content', () => {
    expect(cap([], { big: 'x'.repeat(resultTextCharsMax) }).structured).toMatch(/^\[left out: \d+ characters/)
  })
})

describe('cleanOutputs', () => {
  const secret = 'canary-1234'
  const redactor = createRedactor()
  redactor.add(secret)
  const text = (value: string): ToolOutput => ({ type: 'text', text: value })
  const base64 = Buffer.from(secret).toString('base64')

  it.each<[string, ToolOutput[], ToolOutput[]]>([
    ['leaves texts apart', [text('one'), text('two')], [text('one'), text('two')]],
    ['strikes each text', [text(secret), text('two')], [text('[redacted]'), text('two')]],
    [
      'joins texts that are a secret together',
      [text('a canary'), text('-12'), text('34'), text('b')],
      [text('a [redacted]b')],
    ],
    [
      'strikes what stands around a picture, and leaves out one that is the secret',
      [
        { type: 'image', data: 'AAAA', mimeType: secret },
        { type: 'image', data: base64, mimeType: 'image/png' },
      ],
      [{ type: 'image', data: 'AAAA', mimeType: '[redacted]' }, text('[image: [redacted]]')],
    ],
    [
      'strikes a link, a resource and its address',
      [
        { type: 'resource_link', uri: `a:${secret}`, name: secret, description: secret },
        { type: 'resource', resource: { uri: `a:${secret}`, text: secret } },
        { type: 'resource', resource: { uri: 'a:b', blob: base64 } },
      ],
      [
        { type: 'resource_link', uri: 'a:[redacted]', name: '[redacted]', description: '[redacted]' },
        { type: 'resource', resource: { uri: 'a:[redacted]', text: '[redacted]' } },
        text('[resource: [redacted]]'),
      ],
    ],
    [
      'strikes both sides of a change, and what a terminal printed',
      [
        { type: 'diff', path: '/a', oldText: null, newText: secret },
        { type: 'terminal', terminalId: 't', text: secret },
      ],
      [
        { type: 'diff', path: '/a', oldText: null, newText: '[redacted]' },
        { type: 'terminal', terminalId: 't', text: '[redacted]' },
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(cleanOutputs(content, redactor)).toEqual(expected)
  })
})

describe('toRawOutput', () => {
  it('prefers the structured content', () => {
    expect(
      toRawOutput({ isError: false, content: [{ type: 'text', text: '{"a":1}' }], structured: { a: 1 } }),
    ).toEqual({ a: 1 })
  })

  it('contains no binary data', () => {
    const content: ToolOutput[] = [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]
    expect(toRawOutput({ isError: false, content })).toBe('see\n[image: image/png]')
  })
})
