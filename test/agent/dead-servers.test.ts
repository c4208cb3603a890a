import { createHook } from 'node:async_hooks'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAgent } from './agent-harness.ts'

const count = 200

/** Counts the processes that are started, also those whose program does not exist. */
function countProcesses(): Disposable & { readonly started: number } {
  let started = 0
  const hook = createHook({ init: (_id, type) => void (started += Number(type === 'PROCESSWRAP')) }).enable()
  return {
    get started() {
      return started
    },
    [Symbol.dispose]: () => void hook.disable(),
  }
}

test('two hundred servers that are not there start no process, and their news is told together', async () => {
  const config = (index: number) => {
    const command = index % 2 === 0 ? join('/nowhere', `server-${index}`) : `no-such-server-${index}`
    return { type: 'stdio' as const, name: `dead-${index}`, command, args: [], env: {} }
  }
  using processes = countProcesses()
  await using setup = await openAgent(() => ({ text: 'hello' }), {
    mcpServers: Array.from({ length: count / 2 }, (_, index) => ({
      config: config(index),
      mode: 'dynamic' as const,
      defaultToolConfig: {},
    })),
  })
  const sessionMcpServers = Array.from({ length: count / 2 }, (_, index) => config(index + count / 2))
  await using session = setup.agent.createSession({ cwd: setup.folder, sessionMcpServers })
  const begun = performance.now()
  let news = 0
  session.onChange((what) => void (news += Number(what === 'servers')))
  await session.serversSettled
  await Array.fromAsync(session.prompt([{ type: 'text', text: 'hello' }]))
  const { failed } = session.serverReport()
  expect(failed).toHaveLength(count)
  expect(new Set(failed.map(({ reason }) => reason.split(':')[0]))).toEqual(new Set(['command not found']))
  expect(processes.started).toBe(0)
  // However long it takes: at most one every 50 ms.
  expect(news).toBeLessThan(3 + (performance.now() - begun) / 45)
})
