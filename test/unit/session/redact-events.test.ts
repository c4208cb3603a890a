import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '../../../packages/agent-api/src/messages/turn-event.ts'
import { createRedactor, type Redactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { createEventRedactor } from '../../../packages/agent-api/src/session/redact-events.ts'

const text = (value: string, messageId = 'a'): TurnEvent => ({ type: 'text', messageId, text: value })
const end: TurnEvent = {
  type: 'turn_end',
  stopReason: 'end_turn',
  usage: { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 },
}

function knowing(...secrets: readonly string[]): Redactor {
  const redactor = createRedactor()
  for (const secret of secrets) redactor.add(secret)
  return redactor
}

function shown(redactor: Redactor, events: readonly TurnEvent[]): readonly string[] {
  const redact = createEventRedactor(redactor)
  return [...events, end].flatMap(redact).map((event) => (event.type === 'text' ? event.text : event.type))
}

describe('the events of a turn', () => {
  it.each([
    ['go on at once where nothing is begun', ['one ', 'two'], ['one ', 'two', 'turn_end']],
    [
      'wait where a secret may have begun',
      ['it is can', 'ary-1234', '!'],
      ['it is ', '[redacted]!', 'turn_end'],
    ],
    ['show what was none after all', ['we can', ' do it'], ['we ', 'can do it', 'turn_end']],
    ['show what is kept back at the end', ['we can'], ['we ', 'can', 'turn_end']],
    ['take the longer of two secrets', ['canary-1234', '-and-more'], ['[redacted]', 'turn_end']],
    ['cut no secret that ends as another begins', ['foobar', ' and'], ['[redacted] and', 'turn_end']],
  ])('%s', (_, pieces, expected) => {
    const redactor = knowing('canary-1234', 'canary-1234-and-more', 'foobar', 'barbaz')
    expect(
      shown(
        redactor,
        pieces.map((piece) => text(piece)),
      ),
    ).toEqual(expected)
  })

  it.each([
    ['hide nothing', ['a\u200b', '\u202eb'], ['a', 'b', 'turn_end']],
    ['hide no secret', ['can\u200b', 'ary', '\u2060-1234!'], ['[redacted]!', 'turn_end']],
    [
      'hide no secret in colors',
      ['it: cana\u001b', '[3', '1mry-12\u001b[0', 'm34'],
      ['it: ', '[redacted]', 'turn_end'],
    ],
    [
      'keep their emoji',
      ['ok ✔', '\ufe0f and 👩', '\u200d', '🚀'],
      ['ok ', '✔\ufe0f and ', '👩\u200d', '🚀', 'turn_end'],
    ],
    ['keep characters whole', ['a \ud83d', '\ude00.'], ['a ', '😀.', 'turn_end']],
  ])('%s', (_, pieces, expected) => {
    expect(
      shown(
        knowing('canary-1234'),
        pieces.map((piece) => text(piece)),
      ),
    ).toEqual(expected)
  })

  it('show remote images as text in every text of a link', () => {
    const image = '![x](https://elsewhere.example/x.png)'
    const link = {
      type: 'resource_link',
      uri: 'file:///a',
      name: image,
      title: image,
      description: image,
    } as const
    const redact = createEventRedactor(knowing(), 'text')
    const [event] = redact({ type: 'tool_call_update', id: 'call', update: { content: [link] } })
    expect(JSON.stringify(event)).not.toContain('![x]')
    expect(event).toMatchObject({ update: { content: [{ type: 'resource_link', uri: 'file:///a' }] } })
  })

  it('keep two messages separate', () => {
    expect(shown(knowing('canary-1234'), [text('canary', 'a'), text('-1234', 'b')])).toEqual([
      'canary',
      '-1234',
      'turn_end',
    ])
  })

  it('contain no secret, however the text was cut, and lose nothing else', () => {
    const secrets = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom(...'abc"/'), minLength: 6, maxLength: 9 }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    const part = fc.string({ unit: fc.constantFrom(...'abc"/'), maxLength: 5 })
    fc.assert(
      fc.property(
        secrets,
        fc.array(fc.oneof(part, fc.nat(3)), { maxLength: 8 }),
        fc.array(fc.nat(6), { minLength: 40, maxLength: 40 }),
        (known, parts, cuts) => {
          const whole = parts.map((item) => (typeof item === 'number' ? (known[item] ?? '') : item)).join('')
          const pieces: string[] = []
          for (let at = 0, index = 0; at < whole.length; index++) {
            const length = (cuts[index % cuts.length] ?? 0) + 1
            pieces.push(whole.slice(at, at + length))
            at += length
          }
          const redactor = knowing(...known)
          const said = shown(
            redactor,
            pieces.map((piece) => text(piece)),
          )
            .slice(0, -1)
            .join('')
          expect(known.filter((secret) => said.includes(secret))).toEqual([])
          if (redactor.redact(whole) === whole) expect(said).toBe(whole)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('omit a secret in the arguments of a call, and in its result', () => {
    const [call, update] = [
      {
        id: 'c',
        wireName: 'f__t',
        title: 't',
        kind: 'read',
        rawInput: { text: 'canary-1234' },
        locations: [],
      },
      {
        content: [{ type: 'text', text: 'canary-1234' }],
        rawOutput: { 'canary-1234': 1 },
        title: 'canary-1234',
      },
    ] as const
    const redact = createEventRedactor(knowing('canary-1234'))
    const events = [
      redact({ type: 'tool_call', call }),
      redact({ type: 'tool_call_update', id: 'c', update }),
    ]
    expect(JSON.stringify(events)).not.toContain('canary')
  })
})
