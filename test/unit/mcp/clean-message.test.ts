import { expect, test } from 'vitest'
import { cleanMessage, cleanText, readTextCharsMax } from '../../../packages/agent-api/src/mcp/sanitize.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

const redactor = createRedactor()
redactor.add('s3cr3t-value')
const text = (value: string) => ({ type: 'text', text: value })
const long = 'x'.repeat(readTextCharsMax)
const leftOut = text(`[a text was left out: the message is longer than ${readTextCharsMax} characters]`)

test.each<[string, unknown, readonly unknown[]]>([
  ['one block', text('a\u200b s3cr3t-value'), [text('a [redacted]')]],
  ['a list', [text('a'), text('b')], [text('a'), text('b')]],
  ['a text at the limit', text(long), [text(long)]],
  ['a text over the limit', text(`${long}x`), [leftOut]],
  ['texts that are over the limit together', [text(long), text('x')], [text(long), leftOut]],
  ['a file over the limit', { type: 'resource', resource: { uri: 'a:b', text: `${long}x` } }, [leftOut]],
  ['nothing', undefined, []],
])('text that a server addresses to a model: %s', (_case, raw, said) => {
  expect(
    cleanMessage(raw, redactor)
      .map((block) => JSON.stringify(block))
      .join(''),
  ).toBe(said.map((block) => JSON.stringify(block)).join(''))
})

test.each<[string, unknown, string]>([
  ['is clean', 'a\u200b s3cr3t-value', 'a [redacted]'],
  ['is not read if it is too long', `${long}x`, ''],
  ['is empty if it is not text', 7, ''],
])('a text of a server %s', (_case, raw, expected) => {
  expect(cleanText(raw, redactor)).toBe(expected)
})
