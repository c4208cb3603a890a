import { expect, test } from 'vitest'
import { createQuestionQueue } from '../../../packages/agent-api/src/policy/question-queue.ts'

test('one question is asked at a time, and says whether it had to wait', async () => {
  const inTurn = createQuestionQueue()
  const asked: string[] = []
  const first = Promise.withResolvers<string>()
  const ask = (name: string, answer: string | Promise<string>) =>
    inTurn((hasWaited) => {
      asked.push(`${name}${hasWaited ? ' waited' : ''}`)
      return Promise.resolve(answer)
    })
  const answers = [ask('one', first.promise), ask('two', 'b'), ask('three', 'c')]
  await Promise.resolve()
  expect(asked).toEqual(['one'])
  first.resolve('a')
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'])
  expect(await ask('four', 'd')).toBe('d')
  expect(asked).toEqual(['one', 'two waited', 'three waited', 'four'])
})

test('a failure affects only its own question', async () => {
  const inTurn = createQuestionQueue()
  const failed = inTurn(() => Promise.reject(new Error('no editor')))
  const next = inTurn(() => Promise.resolve('answered'))
  await expect(failed).rejects.toThrow('no editor')
  expect(await next).toBe('answered')
})
