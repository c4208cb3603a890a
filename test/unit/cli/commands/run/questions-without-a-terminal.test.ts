import { expect, it } from 'vitest'
import { answerQuestions } from '../../../../../packages/cli/src/commands/run/answer-questions.ts'

it.each([
  ['write_file', 'Use --approve to decide beforehand'],
  ['definitions', 'Run it in a terminal'],
  ['connect', 'Run it in a terminal'],
  ['undo', 'Run it in a terminal'],
])('%s: %s', async (name, advice) => {
  let said = ''
  const stderr = { write: (text: string) => (said += text) } as unknown as NodeJS.WriteStream
  const report = { pause: () => undefined, resume: () => undefined, event: () => undefined }
  const { onPermission } = answerQuestions(
    { stderr, env: {} },
    { person: undefined, report, refusesAll: false },
  )
  const toolCall = { toolCallId: '1', title: 'Do it', name }
  await onPermission({ sessionId: 's', toolCall, options: [] }, new AbortController().signal)
  expect(said).toBe(`ostler: rejected, because there is no terminal to ask on: Do it. ${advice}.\n`)
})
