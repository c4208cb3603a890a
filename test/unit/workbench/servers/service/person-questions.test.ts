import { describe, expect, it } from 'vitest'
import { createPersonQuestions } from '../../../../../packages/workbench/src/servers/service/person-questions.ts'

const { signal } = new AbortController()
const schema = {
  type: 'object',
  properties: { colour: { type: 'string', minLength: 2 } },
  required: ['colour'],
}
const form = { server: 'paint', kind: 'form', message: 'Which colour?', schema } as const
const sampling = { server: 'paint', messages: [], maxTokens: 5 }

function setUp() {
  const questions = createPersonQuestions()
  const { elicit, sample } = questions.host
  const idNow = () => questions.list()[0]?.id ?? ''
  if (elicit === undefined || sample === undefined) throw new Error('it can be asked')
  return { questions, elicit, sample, idNow }
}

describe('the questions of a server', () => {
  it('are not asked if no one watches', async () => {
    const { elicit, sample } = setUp()
    expect(await elicit(form, signal)).toEqual({ verdict: 'cancelled' })
    await expect(sample(sampling, signal)).rejects.toThrow('did not answer')
  })

  it('wait for the answer, which must match the form', async () => {
    const { questions, elicit, sample, idNow } = setUp()
    let changes = 0
    questions.watch(() => changes++)
    const answer = elicit(form, signal)
    expect(() => questions.answer(idNow(), { action: 'accept', content: { colour: 'r' } })).toThrow(
      'at least 2',
    )
    expect(() => questions.answer(idNow(), { action: 'say', model: 'm', text: 't' })).toThrow('not an answer')
    questions.answer(idNow(), { action: 'accept', content: { colour: 'red' } })
    expect(await answer).toEqual({ verdict: 'allow', values: { colour: 'red' } })
    expect(changes).toBe(2)

    const declined = elicit(form, signal)
    questions.answer(idNow(), { action: 'decline' })
    expect(await declined).toEqual({ verdict: 'deny' })

    const said = sample(sampling, signal)
    questions.answer(idNow(), { action: 'say', model: 'm', text: 'hay' })
    expect(await said).toEqual({ model: 'm', text: 'hay', stopReason: 'endTurn' })
  })

  it('are cancelled when the last watcher leaves, or when the server withdraws them', async () => {
    const { questions, elicit, sample } = setUp()
    const leave = [questions.watch(() => {}), questions.watch(() => {})]
    const taken = new AbortController()
    const [first, second, third] = [
      elicit(form, signal),
      sample(sampling, signal),
      elicit(form, taken.signal),
    ]
    second.catch(() => undefined)
    taken.abort()
    expect(await third).toEqual({ verdict: 'cancelled' })
    leave[0]?.()
    leave[0]?.()
    expect(questions.list()).toHaveLength(2)
    leave[1]?.()
    expect(await first).toEqual({ verdict: 'cancelled' })
    await expect(second).rejects.toThrow('did not answer')
    expect(questions.list()).toEqual([])
    expect(() => questions.answer('x', { action: 'decline' })).toThrow('closed')
  })
})
