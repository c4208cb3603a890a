import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAnswerKey, sealAnswer } from '../../../packages/agent-api/src/history/seal-answer.ts'

const seal = (words: string, key: string) => sealAnswer(words, key) ?? ''
const text = JSON.stringify({ choice: 'accept', arguments: { word: 'hush-hush-hush', more: 'ä'.repeat(1_000) } })

test('only the process that asked can read an answer', () => {
  const [asker, other] = [createAnswerKey(), createAnswerKey()]
  const sealed = seal(text, asker.publicKey)
  expect(sealed).not.toContain('hush')
  expect(Buffer.from(sealed.split('.')[1]!, 'base64url').toString('latin1')).not.toContain('hush')
  expect(asker.open(sealed)).toBe(text)
  expect(other.open(sealed)).toBeUndefined()
  expect(sealAnswer(text, asker.publicKey)).not.toBe(sealed)
})

test.each([
  ['nothing', () => ''],
  ['plain JSON', () => '{"choice":"allow-once"}'],
  ['one changed character', (sealed: string) => sealed.replace(/.(?=.{20}$)/, (last) => (last === 'A' ? 'B' : 'A'))],
  ['a cut one', (sealed: string) => sealed.slice(0, -20)],
  ['the sender of another', (sealed: string) => `${createAnswerKey().publicKey}.${sealed.split('.')[1]}`],
  ['no content', (sealed: string) => sealed.split('.')[0]!],
])('%s is no answer', (_, change) => {
  const asker = createAnswerKey()
  expect(asker.open(change(seal(text, asker.publicKey)))).toBeUndefined()
})

test.each(['', 'x', Buffer.from('no key').toString('base64url'), otherKey()])(
  'nothing is sealed for %j, which is no key of a reader',
  (key) => {
    expect(sealAnswer(text, key)).toBeUndefined()
  },
)

/** A valid key of another kind. */
function otherKey(): string {
  return generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64url')
}
