import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { createPersonQuestions } from '../../../packages/agent-api/src/servers/service/person-questions.ts'

const { signal } = new AbortController()
const schema = { type: 'object', properties: { colour: { type: 'string', minLength: 2 } }, required: ['colour'] }
const form = { server: 'paint', mode: 'form', message: 'Which colour?', schema } as const
const sampling = { server: 'paint', messages: [], maxTokens: 5 }

function setUp() {
  const questions = createPersonQuestions(silentLogger)
  const { elicit, sample } = questions.hostOf('1')
  const idNow = () => questions.list('1')[0]?.id ?? ''
  if (elicit === undefined || sample === undefined) throw new Error('it can be asked')
  return { questions, elicit, sample, idNow }
}

describe('the questions of a server', () => {
  it('are not asked if no one watches', async () => {
    const { questions, elicit, sample } = setUp()
    questions.watch('2', () => {})
    expect(await elicit(form, signal)).toEqual({ action: 'cancel' })
    await expect(sample(sampling, signal)).rejects.toThrow('did not answer')
  })

  it('wait for the answer, which must match the form', async () => {
    const { questions, elicit, sample, idNow } = setUp()
    let changes = 0
    questions.watch('1', () => changes++)
    const answer = elicit(form, signal)
    expect(() => questions.answer('1', idNow(), { action: 'accept', content: { colour: 'r' } })).toThrow('at least 2')
    expect(() => questions.answer('1', idNow(), { action: 'say', model: 'm', text: 't' })).toThrow('not an answer')
    expect(() => questions.answer('2', idNow(), { action: 'decline' })).toThrow('closed')
    questions.answer('1', idNow(), { action: 'accept', content: { colour: 'red' } })
    expect(await answer).toEqual({ action: 'accept', content: { colour: 'red' } })
    expect(changes).toBe(2)

    const declined = elicit(form, signal)
    questions.answer('1', idNow(), { action: 'decline' })
    expect(await declined).toEqual({ action: 'decline' })

    const said = sample(sampling, signal)
    questions.answer('1', idNow(), { action: 'say', model: 'm', text: 'hay' })
    expect(await said).toEqual({ model: 'm', text: 'hay', stopReason: 'endTurn' })
  })

  it('are cancelled when the last watcher leaves, or when the server withdraws them', async () => {
    const { questions, elicit, sample } = setUp()
    const leave = [questions.watch('1', () => {}), questions.watch('1', () => {})]
    const taken = new AbortController()
    const [first, second, third] = [elicit(form, signal), sample(sampling, signal), elicit(form, taken.signal)]
    second.catch(() => undefined)
    taken.abort()
    expect(await third).toEqual({ action: 'cancel' })
    leave[0]?.()
    leave[0]?.()
    expect(questions.list('1')).toHaveLength(2)
    leave[1]?.()
    expect(await first).toEqual({ action: 'cancel' })
    await expect(second).rejects.toThrow('did not answer')
    expect(questions.list('1')).toEqual([])
    expect(() => questions.answer('1', 'x', { action: 'decline' })).toThrow('closed')
  })
})
