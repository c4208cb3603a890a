import { expect, test } from 'vitest'
import { fixtureServer } from '../support/agent-files.ts'
import { entryOf, openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import type { AcpPeer } from '../support/acp-harness.ts'
import { toldTools } from '../support/offered-tools.ts'

const call = (name: string, args: object = {}) => ({ toolCalls: [{ name, args }] })

async function openYard(script: Parameters<typeof openAgentLab>[0]): Promise<AgentLab> {
  const lab = await openAgentLab(script)
  await lab.offer('garden', ['rake_leaves', 'mow_grass', 'water_flowers'])
  await lab.writeAgentFile({
    toolBudget: 1,
    approval: { mode: 'auto' },
    mcpServers: {
      garden: entryOf(lab, 'garden', { include: 'agent', description: 'For the orangery' }),
      // Its instructions say "Be modern."
      club: entryOf(lab, 'club', {
        include: 'agent',
        command: process.execPath,
        args: [fixtureServer('modern-server.mjs'), 'stdio'],
      }),
    },
  })
  return lab
}

/** Sends a prompt in a new session. Returns the session and the tools of the two servers that the model was told first. */
async function ask(editor: AcpPeer, lab: AgentLab, prompt: string, cwd = lab.path) {
  const { sessionId } = await editor.newSession({ cwd })
  const before = lab.model.requests.length
  await editor.prompt(sessionId, prompt)
  return { sessionId, told: toldTools(lab.model.requests[before]) }
}

test('a call that succeeds in one process is a vote in another, in the same folder, until its session is deleted', async () => {
  const script = [call('find_tools', { query: 'rake' }), call('garden__rake_leaves'), { text: 'done' }]
  await using lab = await openYard((_, index) => script[index] ?? { text: 'ok' })
  let first = ''
  {
    await using editor = await lab.start()
    await editor.initialize()
    const { sessionId, told } = await ask(editor, lab, 'Get the yard ready for Saturday')
    expect(told).toEqual([])
    first = sessionId
  }
  await using editor = await lab.open()
  await editor.initialize()
  const asked = async (cwd?: string) => (await ask(editor, lab, 'Is the yard ready?', cwd)).told
  expect(await asked()).toEqual(['garden__rake_leaves'])
  expect(await asked('/')).toEqual([])
  await editor.request('session/delete', { sessionId: first })
  expect(await asked()).toEqual([])
})

test('what a server is for finds its tools: what the agent file says, or the server itself', async () => {
  await using lab = await openYard(undefined)
  await using editor = await lab.open()
  await editor.initialize()
  expect((await ask(editor, lab, 'Go to the orangery')).told).toEqual([expect.stringMatching(/^garden__/)])
  expect((await ask(editor, lab, 'Go modern')).told).toEqual([expect.stringMatching(/^club__/)])
})
