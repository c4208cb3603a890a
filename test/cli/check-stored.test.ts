import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServiceLab, stdioEntry, type ServiceLab } from '../support/service-lab.ts'
import { runCli } from '../support/run-cli.ts'

const token = 'tok-4f9c1b7e0d2a-LAST'
const whole = (over: object = {}) => ({ ...stdioEntry('whole-server.mjs', 'stdio'), ...over })

async function check(lab: ServiceLab, ...args: string[]) {
  const flags = ['check', '--state-dir', lab.stateDir, ...args]
  return runCli(flags, { env: { XDG_CONFIG_HOME: lab.path, OSTLER_SECRET_STORE: 'file' }, cwd: lab.path })
}

test('stored servers are reported with those of the file, and with the store of their secrets', async () => {
  await using lab = await openServiceLab()
  const mine = { ...whole(), mode: 'dynamic', defaultToolConfig: {} }
  const file = await lab.writeAgentFile({
    mcpServers: { mine },
    storedServers: ['used', 'mine', 'off', 'broken', 'strict', 'usd'],
  })
  const service = await lab.open()
  await service.addServer({ name: 'used', entry: whole({ env: { API_TOKEN: token } }) })
  await service.addServer({ name: 'mine', entry: whole() })
  await service.addServer({ name: 'off', entry: whole({ enabled: false }) })
  await service.addServer({ name: 'other', entry: whole() })
  await service.addServer({ name: 'broken', entry: { type: 'http', url: '${NOWHERE}' } })
  await service.addServer({ name: 'strict', entry: whole({ mode: 'strict', required: true }) })

  const { code, stdout, stderr } = await check(lab, '--agent', file, '--connect', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(token)
  const report = JSON.parse(stdout) as {
    servers: { name: string; source: string; state: string; tools: unknown[] }[]
  }
  expect(report.servers.map(({ name, source, state, tools }) => [name, source, state, tools.length])).toEqual(
    [
      ['mine', 'file', 'connected', 6],
      ['broken', 'stored', 'failed', 0],
      ['mine', 'stored', 'unused', 0],
      ['off', 'stored', 'disabled', 0],
      ['other', 'stored', 'unused', 0],
      ['strict', 'stored', 'connected', 0],
      ['used', 'stored', 'connected', 6],
    ],
  )
  expect(report).toMatchObject({
    secretStore: { kind: 'file' },
    problems: [],
    warnings: expect.arrayContaining([
      "The stored server 'mine' is not used: the agent file has a server of that name",
      "storedServers: no server named 'usd' is stored; did you mean 'used'?",
      "Tool 'add' from MCP server 'strict' is not configured in the toolbox. It is left out.",
    ]),
  })
  expect(report.servers[1]).toMatchObject({
    place: 'stored',
    reason: expect.stringContaining('the variable NOWHERE is not set'),
  })

  const text = await check(lab, '--agent', file)
  expect(text.stdout).toContain('Secrets:     in an encrypted file')
  expect(text.stdout).toMatch(/^used \(stored\) +dynamic +not connected/m)
  expect(text.stdout).toMatch(/^other \(stored\) +dynamic +not used/m)
})

test('without state, check creates none and reports nothing about it', async () => {
  await using lab = await openServiceLab()
  const { stdout } = await check(lab, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    servers: [],
    secretStore: null,
    state: { directory: join(lab.path, 'state') },
  })
  await expect(lab.stateBytes()).rejects.toThrow('ENOENT')
})
