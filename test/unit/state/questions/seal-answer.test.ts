import { expect, test } from 'vitest'
import {
  createAnswerKey,
  sealAnswer,
} from '../../../../packages/agent-api/src/state/questions/seal-answer.ts'

const text = JSON.stringify({
  choice: 'accept',
  arguments: { word: 'hush-hush-hush', more: 'ä'.repeat(1_000) },
})

test('only the process that asked can read an answer', async () => {
  const [asker, other] = [await createAnswerKey(), await createAnswerKey()]
  const sealed = (await sealAnswer(text, asker.publicKey))!
  expect(sealed).not.toContain('hush')
  expect(Buffer.from(sealed.split('.')[1]!, 'base64url').toString('latin1')).not.toContain('hush')
  expect(await asker.open(sealed)).toBe(text)
  expect(await other.open(sealed)).toBeUndefined()
  expect(await sealAnswer(text, asker.publicKey)).not.toBe(sealed)
})

test.each([
  ['nothing', () => ''],
  ['plain JSON', () => '{"choice":"allow-once"}'],
  [
    'one changed character',
    (sealed: string) => sealed.replace(/.(?=.{20}$)/, (last) => (last === 'A' ? 'B' : 'A')),
  ],
  ['a cut one', (sealed: string) => sealed.slice(0, -20)],
  ['the sender of another', (sealed: string, other: string) => `${other}.${sealed.split('.')[1]}`],
  ['no content', (sealed: string) => sealed.split('.')[0]!],
])('%s is no answer', async (_, change) => {
  const [asker, other] = [await createAnswerKey(), await createAnswerKey()]
  const sealed = (await sealAnswer(text, asker.publicKey))!
  expect(await asker.open(change(sealed, other.publicKey))).toBeUndefined()
})

test.each(['', 'x', Buffer.from('no key').toString('base64url'), Buffer.alloc(65, 4).toString('base64url')])(
  'nothing is sealed for %j, which is no key of a reader',
  async (key) => {
    expect(await sealAnswer(text, key)).toBeUndefined()
  },
)
