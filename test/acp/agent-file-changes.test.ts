import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { openServerService } from '@ostler/workbench'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openAcpProcess, printedLog, type AcpPeer } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { until } from '../support/processes.ts'

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
  lab.writeAgentFile({
    mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } },
    approval,
  })

/** Counts the questions that one prompt of a new session leads to. */
async function questions(editor: AcpPeer, lab: AgentLab): Promise<number> {
  const before = editor.permissionRequests().length
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'go')
  return editor.permissionRequests().length - before
}

async function untilAsked(editor: AcpPeer, lab: AgentLab, wanted: number): Promise<void> {
  while ((await questions(editor, lab)) !== wanted) await delay(100)
}

it('a changed approval applies to new sessions of a running agent, and an invalid file changes nothing', async () => {
  await using lab = await openLab()
  await write(lab, { mode: 'always-ask' })
  await using editor = await lab.open({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
  })
  await editor.initialize()
  const { sessionId: first } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(first, 'go')
  expect(editor.permissionRequests()).toHaveLength(1)

  await write(lab, { mode: 'trusted-only', trustedTools: ['work:do'] })
  await untilAsked(editor, lab, 0)
  // A session keeps the settings it was opened with.
  const before = editor.permissionRequests().length
  await editor.prompt(first, 'go')
  expect(editor.permissionRequests()).toHaveLength(before + 1)

  await write(lab, { mode: 'no such mode' })
  expect(await questions(editor, lab)).toBe(0)
  await write(lab, { mode: 'always-ask' })
  await untilAsked(editor, lab, 1)
})

it('a running agent adopts and drops stored servers as the agent file selects them', async () => {
  await using lab = await openLab()
  await lab.writeAgentFile({ storedServers: 'none' })
  const service = await openServerService({ stateDir: join(lab.path, 'state'), env: {}, secretStore: 'file' })
  await service.addServer({ name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  await service[Symbol.asyncDispose]()
  await using editor = await lab.open({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
  })
  await editor.initialize()
  expect(await questions(editor, lab)).toBe(0)
  await lab.writeAgentFile({ storedServers: ['work'] })
  await untilAsked(editor, lab, 1)
  await lab.writeAgentFile({ storedServers: 'none' })
  await untilAsked(editor, lab, 0)
})

it('a change is logged: the change, the sessions it applies to, and the place of an error', async () => {
  await using lab = await openLab()
  await write(lab, { mode: 'always-ask' })
  await using editor = await lab.open()
  await editor.initialize()
  await editor.newSession({ cwd: lab.path })
  const file = join(lab.path, 'ostler.json')
  const printed = () => printedLog(editor, ['warn', 'info'])

  await lab.writeAgentFile({ approval: { mode: 'trusted-only' }, maxSteps: 7 })
  const changed = `info The agent file ${file} changed: approval.mode (for new sessions); mcpServers.work, maxSteps (for agents that start later)`
  await until('the change', () => printed().includes(changed))

  await lab.writeAgentFile({ approval: { mode: 'no such mode' } })
  const wrong = `warn The agent file ${file} is not valid: ${file}:1:`
  await until('the warning', () => printed().includes(wrong))
  expect(printed()).toMatch(
    /approval\.mode: found "no such mode"; expected .* The previous settings still apply\./,
  )

  await rm(file)
  await until('the other warning', () => printed().includes(`warn The agent file ${file} cannot be read: `))
})

it.each([
  ['notices', { session: { notices: {} } }],
  ['no notices', {}],
])(
  'an open session reports that approval became looser, and keeps its own settings: an editor with %s',
  async (_, capabilities) => {
    await using lab = await openLab()
    await write(lab, { mode: 'always-ask' })
    await using editor = await lab.open({
      capabilities,
      onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    })
    await editor.initialize()
    const { sessionId: first } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(first, 'go')
    await write(lab, { mode: 'auto' })
    await untilAsked(editor, lab, 0)

    const sentence =
      'The agent file now lets new sessions run more without asking: the mode is auto, and was always-ask. This session keeps its own settings.'
    const told = () => JSON.stringify(editor.updates(first)).split(sentence).length - 1
    if ('session' in capabilities) await until('the notice', () => told() === 1)
    const before = editor.permissionRequests().length
    await editor.prompt(first, 'go')
    expect(told()).toBe(1)
    expect(editor.permissionRequests()).toHaveLength(before + 1)

    // The note disappears once it no longer applies.
    const report = async () => {
      const start = editor.text(first).length
      await editor.prompt(first, '/mcp')
      return editor.text(first).slice(start)
    }
    expect(await report()).toContain(sentence)
    await write(lab, { mode: 'trusted-only' })
    await until('the new mode', async () =>
      (await report()).includes('the mode is trusted-only, and was always-ask'),
    )
    expect(await report()).not.toContain('the mode is auto')
    await write(lab, { mode: 'always-ask' })
    await until('the first mode', async () => !(await report()).includes('run more without asking'))
  },
)

it('an agent started without an agent file follows one that is created later', async () => {
  await using lab = await openLab()
  const service = await openServerService({ stateDir: join(lab.path, 'state'), env: {}, secretStore: 'file' })
  await service.addServer({ name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  await service[Symbol.asyncDispose]()
  await using editor = await openAcpProcess({
    args: ['--state-dir', join(lab.path, 'state'), '--model', lab.model.modelId],
    env: { ...lab.model.env, XDG_CONFIG_HOME: lab.path },
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
  })
  await editor.initialize()
  expect(await questions(editor, lab)).toBe(1)
  await mkdir(join(lab.path, 'ostler'))
  await writeFile(join(lab.path, 'ostler/ostler.yaml'), 'approval: { mode: auto }\n')
  await untilAsked(editor, lab, 0)
})
