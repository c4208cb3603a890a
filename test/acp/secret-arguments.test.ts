import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { openAgent } from '@ostler/agent-api'
import { openAcpInProcess, openAcpProcess } from '../support/acp-harness.ts'
import { load } from '../support/acp-sessions.ts'
import { fixtureServer } from '../support/agent-files.ts'
import { canary, filesOf, leaksIn } from '../support/canaries.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'

test('arguments that are secret by name or schema reach the server, but are neither shown nor stored', async () => {
  const secrets = {
    named: canary('named'),
    marked: canary('marked', '"'),
    header: canary('header'),
    invalid: canary('invalid'),
    broken: canary('broken'),
  }
  const args = {
    user: 'ada',
    password: secrets.named,
    answer: secrets.marked,
    headers: { Authorization: secrets.header, Accept: 'text/plain' },
    max_tokens: 5,
  }
  const invalid = { password: secrets.invalid, answer: secrets.invalid }
  const calls = [args, invalid, `{"user": "ada", "password": "${secrets.broken}", `].map((each) => ({
    name: 'doors__sign_in',
    args: each,
  }))
  await using dir = await openTempDir()
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: [{ toolCalls: calls }, { text: 'done' }, { text: 'again' }],
  })
  const [state, log] = [join(dir.path, 'state'), join(dir.path, 'log')]
  const doors = {
    name: 'doors',
    command: process.execPath,
    args: [fixtureServer('password-server.mjs')],
    env: [],
  }
  const outputs: Record<string, string> = {}
  const cli = async (...command: readonly string[]) => {
    const { stdout, stderr } = await runCli([...command, '--state-dir', state], {
      env: { HOME: dir.path },
      cwd: dir.path,
    })
    outputs[`ostler ${command.join(' ')}`] = stdout + stderr
    return stdout
  }

  const sessionId = await (async () => {
    await using editor = await openAcpProcess({
      args: ['--model', model.modelId, '--state-dir', state, '--log-level', 'debug', '--log-file', log],
      env: model.env,
    })
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers: [doors] })
    await editor.prompt(sessionId, 'go')
    // The call ran with its original arguments.
    const lengths = [secrets.named, secrets.marked, secrets.header].map(({ length }) => length).join(' ')
    expect(JSON.stringify(editor.updates(sessionId))).toContain(`lengths ${lengths}`)
    const [question] = editor.permissionRequests()
    const struck = {
      ...args,
      password: '[redacted]',
      answer: '[redacted]',
      headers: { Authorization: '[redacted]', Accept: 'text/plain' },
    }
    expect(question?.toolCall.rawInput).toEqual(struck)
    expect(question?.toolCall.title).toBe('doors: sign_in ada')
    outputs['the editor'] = JSON.stringify(editor.received())
    return sessionId
  })()
  await using editor = openAcpInProcess({
    openAgent: (logger) => openAgent({ model: model.modelId, env: model.env, stateDir: state, logger }),
  })
  await editor.initialize()
  await load(editor, { sessionId, cwd: dir.path })
  await editor.prompt(sessionId, 'go on')
  outputs['a second editor'] = JSON.stringify(editor.received())
  outputs['the model later'] = JSON.stringify(model.requests.at(-1)?.body)
  expect(outputs['the model later']).toContain('[redacted]')

  const { calls: kept } = JSON.parse(await cli('history', '--json')) as { calls: readonly { id: string }[] }
  expect(kept).toHaveLength(3)
  for (const { id } of kept) await cli('history', 'show', id)
  await cli('sessions', 'export', sessionId)
  await cli('sessions', 'show', sessionId)
  outputs['the log'] = await readFile(log, 'utf8')
  expect(leaksIn({ ...outputs, ...(await filesOf(state)) }, secrets)).toEqual([])
})
