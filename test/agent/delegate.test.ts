import { expect, it } from 'vitest'
import { agentServer, endsOf, lastOf, openAgent, promptText, slowServer } from './agent-harness.ts'

it('the tokens of a delegated task count for the turn, and do not fill its window', async () => {
  const isTask = (system: string) => system.includes('one task that was delegated')
  await using setup = await openAgent(
    ({ system, messages }) => {
      const isFirst = !messages.some(({ role }) => role === 'tool')
      if (isTask(system)) {
        return isFirst
          ? {
              toolCalls: [{ name: 'one__one_tool', args: {} }],
              usage: { inputTokens: 1_000, outputTokens: 100 },
            }
          : { text: 'done', usage: { inputTokens: 2_000, outputTokens: 200 } }
      }
      if (isFirst)
        return {
          toolCalls: [{ name: 'delegate', args: { task: 'Say hello' } }],
          usage: { inputTokens: 10, outputTokens: 1 },
        }
      return { text: 'done', usage: { inputTokens: 20, outputTokens: 2 } }
    },
    {
      connectWaitMs: 60_000,
      mcpServers: [agentServer(slowServer('one', 0))],
      builtinTools: { delegate: { enabled: true } },
    },
  )
  const session = setup.agent.createSession({ cwd: setup.folder })
  const end = lastOf(await promptText(session, 'go'))
  expect(end).toMatchObject({
    type: 'turn_end',
    usage: { inputTokens: 3_030, outputTokens: 303, contextUsed: 22 },
  })
})

it('at most 20 tasks are delegated while one prompt is answered', async () => {
  const calls = Array.from({ length: 21 }, () => ({ name: 'delegate', args: { task: 'Say hello' } }))
  await using setup = await openAgent(
    ({ system, messages }) =>
      system.includes('one task that was delegated') || messages.some(({ role }) => role === 'tool')
        ? { text: 'done' }
        : { toolCalls: calls },
    { builtinTools: { delegate: { enabled: true } } },
  )
  const session = setup.agent.createSession({ cwd: setup.folder })
  const ends = endsOf(await promptText(session, 'go'))
  expect(ends.filter((end) => end === 'success')).toHaveLength(20)
  expect(ends.filter((end) => end === 'error')).toHaveLength(1)
})
