import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { openServerService } from '@ostler/agent-api'
import { expect, it } from 'vitest'
import type { AcpProcess } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'

async function openLab(): Promise<AgentLab> {
  const lab = await openAgentLab((request) =>
    request.messages.at(-1)?.parts.some((part) => part.type === 'tool_result')
      ? { text: 'ok' }
      : { toolCalls: [{ name: 'work__do', args: {} }] },
  )
  await lab.offer('work', ['do'])
  return lab
}

const write = (lab: AgentLab, approval: object) =>
  lab.writeAgentFile({ mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } }, approval })

/** How many questions one prompt of a new session brings. */
async function questions(editor: AcpProcess, lab: AgentLab): Promise<number> {
  const before = editor.permissionRequests().length
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'go')
  return editor.permissionRequests().length - before
}

async function until(editor: AcpProcess, lab: AgentLab, wanted: number): Promise<void> {
  while ((await questions(editor, lab)) !== wanted) await delay(100)
}

it('approval that is changed in the agent file holds for the next sessions of a running agent, and a broken file changes nothing', async () => {
  await using lab = await openLab()
  await write(lab, { mode: 'always-ask' })
  await using editor = await lab.start({ onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }) })
  await editor.initialize()
  const { sessionId: first } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(first, 'go')
  expect(editor.permissionRequests()).toHaveLength(1)

  await write(lab, { mode: 'trusted-only', trustedTools: ['work:do'] })
  await until(editor, lab, 0)
  // A session keeps what it was opened with.
  const before = editor.permissionRequests().length
  await editor.prompt(first, 'go')
  expect(editor.permissionRequests()).toHaveLength(before + 1)

  await write(lab, { mode: 'no such mode' })
  expect(await questions(editor, lab)).toBe(0)
  await write(lab, { mode: 'always-ask' })
  await until(editor, lab, 1)
})

it('stored servers that are chosen in the agent file come to a running agent, and go again', async () => {
  await using lab = await openLab()
  await lab.writeAgentFile({ storedServers: 'none' })
  const service = await openServerService({ stateDir: join(lab.path, 'state'), env: {}, secretStore: 'file' })
  await service.addServer({ name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  await service[Symbol.asyncDispose]()
  await using editor = await lab.start({ onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }) })
  await editor.initialize()
  expect(await questions(editor, lab)).toBe(0)
  await lab.writeAgentFile({ storedServers: ['work'] })
  await until(editor, lab, 1)
  await lab.writeAgentFile({ storedServers: 'none' })
  await until(editor, lab, 0)
})
