import { defineTool, textResult } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { isSummaryRequest, textIn, withWindow } from '../support/loopback-model/window.ts'

// test/agent/long-sessions.test.ts has such a conversation in each format.
const turns = 100
const size = 16_000

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks an item up',
  inputSchema: { type: 'object', properties: { item: { type: 'integer' } }, required: ['item'] },
  execute: ({ item }) =>
    textResult(`item ${String(item)}: ${`entry ${String(item)} `.repeat(50 + (Number(item) % 7) * 150)}`),
})

function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { text: 'Looked it up.' }
  const [, item] = /look up item (\d+)/.exec(textIn(last)) ?? []
  if (item !== undefined) return { toolCalls: [{ name: 'look_up', args: { item: Number(item) } }] }
  return { text: messages.map(textIn).join('\n').includes('heron-7421') ? 'heron-7421' : 'I do not know.' }
}

test('an editor has a long conversation over a small window, loads it, and asks about its beginning', async () => {
  await using lab = await openSessionLab(withWindow({ size, vendor: 'openai' }, script), {
    vendor: 'openai',
    agent: { tools: { mode: 'open', tools: [lookUp] }, mode: 'auto', builtinTools: false },
  })
  let session: string
  {
    await using editor = await lab.open({ capabilities: { session: { compaction: {} } } })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    session = sessionId
    for (let turn = 1; turn <= turns; turn++) {
      const fact = turn === 1 ? ' FACT: the password of the barn is heron-7421.' : ''
      expect(await editor.prompt(sessionId, `Please look up item ${turn}.${fact}`)).toEqual({
        stopReason: 'end_turn',
      })
    }
    expect(editor.text(sessionId)).toBe('Looked it up.'.repeat(turns))
    const sizes = editor
      .updates(sessionId)
      .flatMap((update) => (update.sessionUpdate === 'usage_update' ? [update.used] : []))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(size)
  }
  const summaries = lab.model.requests.filter(isSummaryRequest).length
  expect(summaries).toBeGreaterThan(2)
  await using other = await lab.open()
  const { updates } = await load(other, { sessionId: session, cwd: lab.path })
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toHaveLength(turns)
  await other.prompt(session, 'What is the password of the barn?')
  expect(other.text(session)).toMatch(/heron-7421$/)
  // The loaded conversation is as short as it was.
  expect(lab.model.requests.filter(isSummaryRequest)).toHaveLength(summaries)
})
