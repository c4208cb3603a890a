import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { AcpInProcess, AcpPeerOptions } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'

const server = fileURLToPath(new URL('../fixtures/servers/task-server.mjs', import.meta.url))

/** The model calls the tool with the prompt as its argument. */
async function openLab(): Promise<AgentLab> {
  const lab = await openAgentLab(({ messages }) => {
    const part = messages.at(-1)?.parts.at(-1)
    return part?.type === 'text'
      ? { toolCalls: [{ name: 'work__build', args: { how: part.text } }] }
      : { text: 'ok' }
  })
  await lab.writeAgentFile({})
  return lab
}

async function openSession(
  lab: AgentLab,
  options: AcpPeerOptions = {},
): Promise<{ editor: AcpInProcess; sessionId: string }> {
  const editor = await lab.open(options)
  await editor.initialize()
  const work = {
    name: 'work',
    command: process.execPath,
    args: [server, join(lab.path, 'tasks.json')],
    env: [],
  }
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [work] })
  return { editor, sessionId }
}

const requestsOf = async (lab: AgentLab) =>
  (await readFile(join(lab.path, 'tasks.json.log'), 'utf8')).split('\n').filter(Boolean)

function resultOf({ model }: AgentLab): string | undefined {
  const parts = model.requests.at(-1)?.messages.flatMap((message) => message.parts) ?? []
  return parts.findLast((part) => part.type === 'tool_result')?.text
}

test('a tool that runs only as a task is started and polled, and its result is read', async () => {
  await using lab = await openLab()
  const { editor, sessionId } = await openSession(lab)
  await using _editor = editor
  await editor.prompt(sessionId, 'slowly')
  expect(resultOf(lab)).toBe('built after 3')
  expect(JSON.stringify(editor.updates(sessionId))).toContain('step 1 (1)')
})

test('a task survives the end of its server', async () => {
  await using lab = await openLab()
  const { editor, sessionId } = await openSession(lab)
  await using _editor = editor
  await editor.prompt(sessionId, 'crash')
  expect(resultOf(lab)).toBe('built after 3')
  const requests = await requestsOf(lab)
  expect(requests.filter((method) => method === 'initialize')).toHaveLength(2)
  expect(requests.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('cancelling the prompt cancels the task', async () => {
  await using lab = await openLab()
  const { editor, sessionId } = await openSession(lab)
  await using _editor = editor
  const ended = editor.prompt(sessionId, 'forever')
  await editor.waitForUpdate(sessionId, 'tool_call_update', ({ content }) =>
    JSON.stringify(content ?? []).includes('step 1'),
  )
  editor.notify('session/cancel', { sessionId })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  await expect.poll(() => requestsOf(lab)).toContain('tasks/cancel')
})

test('a task that needs an answer gets it from the person', async () => {
  await using lab = await openLab()
  const { editor, sessionId } = await openSession(lab, {
    capabilities: { elicitation: { form: {} } },
    handlers: { 'elicitation/create': () => ({ action: 'accept', content: { colour: 'green' } }) },
  })
  await using _editor = editor
  await editor.prompt(sessionId, 'ask')
  expect(resultOf(lab)).toBe('built in green')
})

test('a result at once is the result, and an invalid task is an error', async () => {
  await using lab = await openLab()
  const { editor, sessionId } = await openSession(lab)
  await using _editor = editor
  await editor.prompt(sessionId, 'at once')
  expect(resultOf(lab)).toContain('done at once')
  await editor.prompt(sessionId, 'invalid')
  expect(resultOf(lab)).toContain('the server answered with an invalid task')
})
