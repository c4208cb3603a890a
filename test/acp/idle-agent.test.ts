import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openServerService } from '@ostler/workbench'
import { expect, it } from 'vitest'
import { openAcpProcess, type AcpProcess } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { descendantsOf, until } from '../support/processes.ts'

/** By then, an agent looks for changes once a minute only. A test that waits for a change is given less. */
const restsAfterMs = 8_000

/** An agent that had a prompt, and has nothing to do. */
async function openIdle(lab: AgentLab): Promise<AcpProcess> {
  const editor = await openAcpProcess({
    args: ['--state-dir', join(lab.path, 'state'), '--log-level', 'info'],
    env: { XDG_CONFIG_HOME: join(lab.path, 'config') },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, '/help')
  await delay(restsAfterMs)
  return editor
}

it.concurrent('an idle agent starts a server that another process adds, and ends one that it removes', async () => {
  await using lab = await openAgentLab([])
  await lab.offer('work', ['do'])
  await using editor = await openIdle(lab)
  // The process that ends servers with the agent stays.
  const isRunning = async () => (await descendantsOf(editor.pid)).length > 1
  await using service = await openServerService({
    stateDir: join(lab.path, 'state'),
    env: {},
    secretStore: 'file',
  })
  const { id } = await service.addServer({ name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  await until('the server to run', isRunning)
  await delay(restsAfterMs)
  await service.removeServer(id)
  await until('the server to end', async () => !(await isRunning()))
})

it.concurrent('an idle agent follows an agent file that is created, and is replaced later', async () => {
  await using lab = await openAgentLab([])
  await using editor = await openIdle(lab)
  const file = join(lab.path, 'config/ostler/ostler.yaml')
  const changes = () => editor.stderr().split(`The agent file ${file} changed: approval.mode`).length - 1
  await mkdir(join(lab.path, 'config/ostler'), { recursive: true })
  await writeFile(file, 'approval: { mode: auto }\n')
  await until('the new file', () => changes() === 1)
  await delay(restsAfterMs)
  await writeFile(`${file}.new`, 'approval: { mode: trusted-only }\n')
  await rename(`${file}.new`, file)
  await until('the other file', () => changes() === 2)
  expect(editor.stderr()).not.toContain('warn')
})
