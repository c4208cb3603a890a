import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryOf, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { lastResult } from '../support/last-result.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { processesWithArgument, until } from '../support/processes.ts'

/** They take minutes, so they run with the long form of `killed-while-waking`. */
const isLong = process.env['OSTLER_TEST_KILLS'] !== undefined
const minutes = { timeout: 240_000 }

/** A server that is known, and whose next starts take 40 s. */
async function openSlow(): Promise<AgentLab & { readonly server: { command: string; args: string[] } }> {
  const lab = await openAgentLab(({ messages }) =>
    textOf(messages.at(-1)) === 'work' ? { toolCalls: [{ name: 'work__do', args: {} }] } : { text: 'ok' },
  )
  await lab.offer('work', ['do'])
  const slow = join(lab.path, 'slow')
  const { command, args } = lab.command('work')
  const line = `[ -e ${slow} ] && sleep 40; exec ${[command, ...args].join(' ')}`
  return { ...lab, server: { command: '/bin/sh', args: ['-c', line] } }
}

const running = (lab: AgentLab) => processesWithArgument(join(lab.path, 'work.json'))

test.runIf(isLong)(
  'a call fails with the limit of a start, other prompts wait for nothing, and nothing is left',
  minutes,
  async () => {
    await using lab = await openSlow()
    await lab.writeAgentFile({ approval: { mode: 'auto' } })
    const servers = [{ name: 'work', ...lab.server, env: [] }]
    {
      await using editor = await lab.start()
      await editor.prompt(await openSession(editor, lab, servers), 'hello')
    }
    await writeFile(join(lab.path, 'slow'), '')
    await using editor = await lab.start({ waitMs: 120_000 })
    const sessionId = await openSession(editor, lab, servers)
    await editor.prompt(sessionId, 'hello')
    expect(await running(lab)).toEqual([])
    const called = editor.prompt(sessionId, 'work')
    await until('the start', async () => (await running(lab)).length > 0)
    const other = (await editor.newSession({ cwd: lab.path, mcpServers: servers })).sessionId
    const first = await Promise.race([
      called.then(() => 'call'),
      editor.prompt(other, 'hello').then(() => 'other'),
    ])
    expect(first).toBe('other')
    await called
    expect(lastResult(lab.model.requests.at(-1))).toContain('did not answer within 30 s')
    await until('the end of the server', async () => (await running(lab)).length === 0)
    await editor.prompt(sessionId, 'hello')
  },
)

test.runIf(isLong)(
  'with a longer limit, the call waits for the start, and its card says so',
  minutes,
  async () => {
    await using lab = await openSlow()
    const work = entryOf(lab, 'work', { ...lab.server, start: 'known-on-demand', timeout: '2m' })
    await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: { work } })
    {
      await using editor = await lab.start()
      await editor.prompt(await openSession(editor, lab), 'hello')
    }
    await writeFile(join(lab.path, 'slow'), '')
    await using editor = await lab.start({ waitMs: 120_000 })
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'work')
    expect(lastResult(lab.model.requests.at(-1))).toBe('do is done')
    expect(JSON.stringify(editor.updates(sessionId))).toContain('starting work')
  },
)
