import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { toPlainText } from '../../../packages/agent-api/src/messages/tool-output.ts'
import {
  resultBinaryBytesMax,
  resultItemsMax,
  resultTextCharsMax,
} from '../../../packages/agent-api/src/tools/cap-result.ts'
import { toShownResult, withoutLongDiffs } from '../../../packages/agent-api/src/tools/call-membrane.ts'
import type { ToolOutput } from '../../../packages/agent-api/src/messages/tool.ts'

const secret = 'canary-Q7w9Z2x4K8m1'
const long = Array.from({ length: 90 }, (_, index) => `${(index * 7919 + 104_729) ** 2}`).join('')
const redactor = createRedactor()
// The third begins with the second, and the fourth begins like the first ends.
for (const each of [secret, 'prefix-93847', 'prefix-93847-and-more-of-it', 'K8m1-overlapping-55213', long])
  redactor.add(each)

/** Uses up the searched length but is not shown. */
const hidden = '\u200b'
const searchedChars = 1.5 * resultTextCharsMax

const show = (content: readonly ToolOutput[], structured?: unknown) =>
  toShownResult({ isError: false, content, structured }, redactor)
const text = (value: string): ToolOutput => ({ type: 'text', text: value })
const shownText = (content: readonly ToolOutput[]) => show(content).content.map(toPlainText).join('')
/** A text that is cut behind so many characters of the secret. */
const acrossCut = (form: string, before: number) =>
  `word ${hidden.repeat(searchedChars - 'word '.length - before)}${form} and more`
const withoutNote = (shown: string) => shown.replace(/\n?\[truncated: [^\]]*\]$/, '')

describe('toShownResult', () => {
  it('leaves a result within the limits unchanged, even if it ends like the start of a secret', () => {
    const result = {
      isError: false,
      content: [text('one'), text('ends with canary-Q7')],
      structured: { a: 1 },
    }
    expect(toShownResult(result, redactor)).toEqual(result)
  })

  it('reports how much of a huge text was cut', () => {
    const [first] = show([text('.'.repeat(5_000_000))]).content
    expect(first).toMatchObject({
      text: expect.stringMatching(/^\.{100000}\n\[truncated: 4900000 of 5000000 characters omitted\]$/),
    })
  })

  it.each([
    ['text', (value: string) => [text(value)]],
    [
      'texts',
      (value: string) => [text(value.slice(0, searchedChars - 5)), text(value.slice(searchedChars - 5))],
    ],
    [
      'a resource',
      (value: string): ToolOutput[] => [{ type: 'resource', resource: { uri: 'a:b', text: value } }],
    ],
    ['a terminal', (value: string): ToolOutput[] => [{ type: 'terminal', terminalId: 't', text: value }]],
  ])('no part of a secret that lies across the cut of %s is shown', (_, contentOf) => {
    for (let before = 1; before < secret.length; before++) {
      expect('word [redacted]').toContain(withoutNote(shownText(contentOf(acrossCut(secret, before)))))
    }
  })

  it.each([
    ['base64', Buffer.from(secret).toString('base64')],
    ['hex', Buffer.from(secret).toString('hex')],
    ['characters with hidden ones between them', [...secret].join(hidden)],
  ])('no part of a secret as %s that lies across the cut is shown', (_, form) => {
    for (let before = 1; before < form.length; before++) {
      expect('word [redacted]').toContain(withoutNote(shownText([text(acrossCut(form, before))])))
    }
  })

  it('no part of overlapping, similar or long secrets is shown, wherever they are cut', () => {
    const pieces = [
      '.',
      'ab ',
      hidden,
      secret,
      'prefix-93847',
      'prefix-93847-and-more-of-it',
      'K8m1-overlapping-55213',
      long,
    ]
    const values = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(values, fc.nat(), (value, place) => {
        const kept = place % (value.length + 1)
        const whole = `${hidden.repeat(searchedChars - kept)}${value}${' '.repeat(searchedChars)}`
        const shown = withoutNote(shownText([text(whole)]))
        // As if nothing had been cut.
        expect(redactor.redact(value.replaceAll(hidden, '')).slice(0, shown.length)).toBe(shown)
      }),
      { numRuns: 30 },
    )
  })

  it('no part of a secret across the last shown text and the first omitted one is shown', () => {
    const texts = Array.from({ length: resultItemsMax - 1 }, () => text('x'))
    const { content } = show([...texts, text('ends with canary-Q7w'), text('9Z2x4K8m1')])
    expect(content.at(-2)).toEqual(text('ends with '))
    expect(content.at(-1)).toEqual(text('[1 more items omitted: a result may have 200]'))
  })

  it('an item with huge names is left out', () => {
    expect(show([{ type: 'resource_link', uri: 'a:b', name: 'x'.repeat(5_000_000) }]).content).toEqual([
      text('[a resource_link was omitted: it is too large to show]'),
    ])
  })

  it('a large image is replaced by a note', () => {
    const data = 'A'.repeat(resultBinaryBytesMax + 4)
    expect(show([{ type: 'image', data, mimeType: 'image/png' }]).content).toEqual([
      { type: 'text', text: '[a image/png image of 6145 KiB was omitted: it is too large to show]' },
    ])
  })

  it('structured content with very many values is left out', () => {
    const said = '[left out: more than 100000 characters of structured content]'
    expect(
      show(
        [],
        Array.from({ length: 500_000 }, () => 1),
      ).structured,
    ).toBe(said)
    expect(show([], { text: 'x'.repeat(5_000_000) }).structured).toBe(said)
  })
})

it('a diff that is too long to show is replaced by its length', () => {
  const long = {
    type: 'diff',
    path: '/a',
    oldText: 'x'.repeat(200_000),
    newText: 'y'.repeat(100_001),
  } as const
  const short = { type: 'diff', path: '/b', oldText: null, newText: 'y' } as const
  expect(withoutLongDiffs([long, short])).toEqual([
    { type: 'text', text: '[What this changes is too large to show: 300,001 characters.]' },
    short,
  ])
})
