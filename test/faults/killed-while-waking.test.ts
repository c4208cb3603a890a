import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { processesWithArgument, until } from '../support/processes.ts'

const kills = Number(process.env['OSTLER_TEST_KILLS'] ?? 6)
/** From before the start until the server has long been waiting for its first message. */
const delaysMs = [0, 5, 20, 50, 100, 300]

test('nothing is left of a server whose agent is killed while it wakes', async () => {
  await using lab = await openAgentLab(({ messages }) =>
    textOf(messages.at(-1)) === 'work' ? { toolCalls: [{ name: 'work__do', args: {} }] } : { text: 'ok' },
  )
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  const servers = [{ name: 'work', ...lab.command('work'), env: [] }]
  {
    await using editor = await lab.start()
    await editor.prompt(await openSession(editor, lab, servers), 'hello')
  }
  await until('the end of the first server', async () => (await started(lab)).length === 0)
  await writeFile(join(lab.path, 'work.json.hang'), '')
  let seen = 0
  for (let kill = 0; kill < kills; kill++) {
    await using editor = await lab.start()
    const sessionId = await openSession(editor, lab, servers)
    const ended = editor.prompt(sessionId, 'work').catch(() => undefined)
    await editor.waitForUpdate(sessionId, 'tool_call')
    await sleep(delaysMs[kill % delaysMs.length])
    seen += (await started(lab)).length
    process.kill(editor.pid, 'SIGKILL')
    await Promise.all([editor.exit, ended])
    await until('the end of the server', async () => (await started(lab)).length === 0)
  }
  expect(seen).toBeGreaterThan(0)
})

const started = (lab: AgentLab) => processesWithArgument(join(lab.path, 'work.json'))
