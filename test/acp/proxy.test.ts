import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { canary } from '../support/canaries.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { descendantsOf, until } from '../support/processes.ts'

test("a server gets the proxy's address without the password, unless its entry asks for it", async () => {
  const password = canary('proxy')
  const whole = `http://ada:${password}@127.0.0.1:1`
  const script = [{ text: `It is ${password}, or ${Buffer.from(`ada:${password}`).toString('base64')}.` }]
  await using model = await startLoopbackModel({ vendor: 'anthropic', script })
  await using editor = await openAcpProcess({
    args: ['--model', model.modelId],
    env: { ...model.env, HTTPS_PROXY: whole, all_proxy: whole, NO_PROXY: '127.0.0.1' },
  })
  await editor.initialize()
  const asking = { ...sumServer('asking'), env: [{ name: 'HTTPS_PROXY', value: whole }] }
  const { sessionId } = await editor.newSession({
    cwd: editor.home,
    mcpServers: [sumServer('plain'), asking],
  })
  await editor.prompt(sessionId, 'hi')
  const environments = await until('both servers', async () => {
    const found = await Promise.all((await descendantsOf(editor.pid)).map(environmentOfServer))
    const servers = found.filter((environment) => environment !== undefined)
    return servers.length === 2 && servers
  })
  const shown = environments.map((environment) =>
    environment.filter((variable) => /_proxy=/i.test(variable)).toSorted(),
  )
  const rest = ['NO_PROXY=127.0.0.1', 'all_proxy=http://127.0.0.1:1']
  expect(shown.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
    ['HTTPS_PROXY=http://127.0.0.1:1', ...rest],
    [`HTTPS_PROXY=${whole}`, ...rest],
  ])
  expect(editor.text(sessionId)).toContain('It is [redacted], or [redacted].')
})

async function environmentOfServer(pid: number): Promise<string[] | undefined> {
  const [environment = '', command = ''] = await Promise.all(
    ['environ', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  return command.includes('sum-server') && !command.includes('ostler.js')
    ? environment.split('\0')
    : undefined
}
