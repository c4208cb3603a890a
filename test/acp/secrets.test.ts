import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'

/** A canary for each way in, in every form it may take on the way out. */
const canaries = ['env', 'map', 'header', 'query', 'key'].map(
  (channel) => `canary-${channel}-${randomUUID()}`,
)
const [env = '', map = '', header = '', query = '', key = ''] = canaries

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
}

test('no secret of a server or a vendor is revealed, whatever fails', async () => {
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: () => ({ status: 400, errorMessage: `bad key ${key}` }),
  })
  await using editor = await openAcpProcess({
    args: ['--model', model.modelId, '--log-level', 'debug', '--log-file', 'log'],
    env: { ...model.env, ANTHROPIC_API_KEY: key },
    capabilities: { session: { notices: {} } },
  })
  await editor.initialize()
  const tellAll = [
    '-e',
    'console.error(process.env.SECRET_TOKEN, Buffer.from(process.env.SECRET_TOKEN).toString("base64")); process.exit(3)',
  ]
  const { sessionId } = await editor.newSession({
    cwd: editor.home,
    mcpServers: [
      { name: 'list', command: process.execPath, args: tellAll, env: [{ name: 'SECRET_TOKEN', value: env }] },
      { name: 'map', command: process.execPath, args: tellAll, env: { SECRET_TOKEN: map } },
      {
        name: 'http',
        type: 'http',
        url: `http://127.0.0.1:1/?token=${query}`,
        headers: [{ name: 'Authorization', value: `Bearer ${header}` }],
      },
      {
        name: 'broken',
        type: 'http',
        url: 'http://127.0.0.1:1/',
        headers: [{ name: 'Authorization', value: `Bearer ${header}\n` }],
      },
      { name: 'none', command: '/no/such/program', args: [], env: [{ name: 'SECRET_TOKEN', value: env }] },
    ],
  })
  const notice = await editor.waitForUpdate(sessionId, 'notice')
  expect(String(notice.description).split('\n')).toHaveLength(5)
  // A malformed message must be neither returned nor logged.
  editor.sendBytes(`{"jsonrpc":"1.0","id":7,"method":"session/new","params":{"env":"${env}"}}\n`)
  editor.sendBytes(`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"env":"${env}"\n`)
  await editor.request('session/new', { cwd: env, mcpServers: map }).catch(() => undefined)
  await editor.prompt(sessionId, 'hi').catch(() => undefined)
  editor.closeInput()
  await editor.exit

  const outputs = {
    stdout: editor
      .received()
      .map((message) => JSON.stringify(message))
      .join('\n'),
    stderr: editor.stderr(),
    log: await readFile(join(editor.home, 'log'), 'utf8'),
  }
  expect(outputs.log).not.toBe('')
  for (const [name, output] of Object.entries(outputs)) {
    for (const form of canaries.flatMap(formsOf))
      expect(output.includes(form), `${form} in ${name}`).toBe(false)
  }
})
