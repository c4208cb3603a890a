import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selectPermission } from '../support/acp-harness.ts'
import { listAll, openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'

const secret = 'hunter2-canary-that-is-cut-in-two'

/** A text whose first bytes end within the secret. */
function cutAt(bytes: number): string {
  return `${'All is well.\n'.repeat(bytes / 13).slice(0, bytes - 21)} ${secret} and more`
}

test('where a file of the project is cut, no beginning of a secret is left for the model', async () => {
  const readSkill = ({ messages }: ModelRequest): Reply =>
    messages.some(({ parts }) => parts.some(({ type }) => type === 'tool_result'))
      ? { text: 'done' }
      : { toolCalls: [{ name: 'read_skill', args: { name: 'deploy' } }] }
  await using lab = await openSessionLab(readSkill)
  const skill = join(lab.path, '.agents/skills/deploy')
  await mkdir(skill, { recursive: true })
  await writeFile(join(lab.path, 'AGENTS.md'), cutAt(32 * 1024))
  await writeFile(
    join(skill, 'SKILL.md'),
    `---\ndescription: Deploys\n---\n`.padEnd(32, '\n') + cutAt(64 * 1024 - 32),
  )
  await using editor = await lab.open({
    agent: { env: { ...lab.model.env, DEPLOY_TOKEN: secret }, mode: 'auto' },
  })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'deploy')
  await editor.prompt(sessionId, '/deploy now')
  const told = JSON.stringify(lab.model.requests)
  expect(told).toContain('All is well.')
  expect(told).toContain('The rest of AGENTS.md is too long to show')
  expect(told).toContain('The rest of the file is too long to show')
  expect(told.match(/hunter2.{0,20}/)).toBeNull()
})

test('where a built-in tool cuts a long line, no beginning of a secret is left for the model', async () => {
  const line = (chars: number) => `needle ${'x'.repeat(chars - 18)} ${secret} and more`
  const calls = [
    { name: 'read_file', args: { path: 'long.txt' } },
    { name: 'search_files', args: { pattern: 'needle' } },
    {
      name: 'edit_file',
      args: { path: 'short.txt', edits: [{ old_text: `needle ${'x'.repeat(182)} other`, new_text: 'y' }] },
    },
    { name: 'fetch_url', args: { url: '' } },
  ]
  await using site = await openSite(`${'All is well. '.repeat(5_000).slice(0, 59_990)} ${secret} and more`)
  await using lab = await openSessionLab(({ messages }) => {
    const done = messages.filter(({ parts }) => parts.some(({ type }) => type === 'tool_result')).length
    const call = calls[done]
    if (call === undefined) return { text: 'done' }
    return { toolCalls: [call.name === 'fetch_url' ? { name: 'fetch_url', args: { url: site.url } } : call] }
  })
  await writeFile(join(lab.path, 'long.txt'), line(2_000))
  await writeFile(join(lab.path, 'middle.txt'), line(400))
  await writeFile(join(lab.path, 'short.txt'), line(200))
  const builtinTools = { fetch_url: { privateHosts: ['127.0.0.1'] } }
  const agent = { env: { ...lab.model.env, DEPLOY_TOKEN: secret }, mode: 'auto' as const, builtinTools }
  await using editor = await lab.open({ agent, onPermission: selectPermission('allow_once') })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'look')
  const told = JSON.stringify(lab.model.requests.at(-1))
  for (const part of [
    'more characters]',
    'middle.txt',
    'The nearest lines are',
    'more characters are not shown',
  ])
    expect(told).toContain(part)
  expect(told.match(/hunter2.{0,20}/)).toBeNull()
  expect(JSON.stringify(editor.received()).match(/hunter2.{0,20}/)).toBeNull()
})

test('a title that is cut ends before a secret', async () => {
  const task = `${'x'.repeat(110)}${secret}`
  await using lab = await openSessionLab(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ name: 'delegate', args: { task } }] } : { text: 'done' },
  )
  await using editor = await lab.open({
    agent: { env: { ...lab.model.env, DEPLOY_TOKEN: secret }, mode: 'auto' },
  })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, `https://${'x'.repeat(60)}${secret}`)
  const titles = (await listAll(editor)).map(({ title }) => title)
  expect(titles).toEqual([expect.stringMatching(/^https:\/\/x{60}/)])
  const shown = JSON.stringify([titles, editor.received(), lab.history.sessions.entries(sessionId)])
  expect(shown).toContain('Task: xxx')
  expect(shown.match(/hunter2.{0,20}/)).toBeNull()
})

test('the list of running commands cuts no secret in two', async () => {
  const command = `sleep 300; : ${'x'.repeat(170)}${secret}`
  await using lab = await openSessionLab(({ messages }) =>
    messages.some(({ parts }) => parts.some(({ type }) => type === 'tool_result'))
      ? { text: 'done' }
      : { toolCalls: [{ name: 'run_command', args: { command, background: true } }] },
  )
  const agent = { env: { ...lab.model.env, DEPLOY_TOKEN: secret }, mode: 'auto' as const }
  await using editor = await lab.open({ agent, onPermission: selectPermission('allow_once') })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'wait')
  await editor.prompt(sessionId, '/stop')
  expect(editor.text(sessionId)).toContain('Stopped `sleep 300')
  expect(JSON.stringify(editor.received()).match(/hunter2.{0,20}/)).toBeNull()
})

async function openSite(text: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/plain').end(text),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
