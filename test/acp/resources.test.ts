import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { openScriptedSession, richServer, type ScriptedSession } from '../support/acp-scripted.ts'
import { lastResult } from '../support/last-result.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { openTempDir } from '../support/temp-dir.ts'
import type { ModelRequest, Script } from '../support/loopback-model/index.ts'

const open = (script: Script) => openScriptedSession({ script, mcpServers: [richServer()] })

/** Everything that a person wrote, as the model reads it. */
function promptIn(request: ModelRequest | undefined): string {
  const last = request?.messages.findLast(({ role }) => role === 'user')
  return (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('\n')
}

const offered = ({ model }: ScriptedSession) => model.requests.at(-1)?.tools.map(({ name }) => name)

test('the model lists resources and reads one, after the person has allowed it', async () => {
  await using session = await open([
    { toolCalls: [{ name: 'list_resources', args: {} }] },
    { toolCalls: [{ name: 'rich__read_resource', args: { uri: 'note://one' } }] },
    { text: 'done' },
  ])
  const { editor, model, sessionId } = session
  await editor.prompt(sessionId, 'go')
  expect(offered(session)).toEqual(expect.arrayContaining(['list_resources', 'rich__read_resource']))
  expect(lastResult(model.requests[1])).toBe(
    "Server 'rich': 1 resource, 1 template\n- note://one (one: The first note)\n- template: diary://{day} (day)",
  )
  expect(lastResult(model.requests[2])).toContain('The text of note://one')
  expect(editor.permissionRequests().map(({ toolCall }) => toolCall.name)).toEqual(['rich__read_resource'])
})

test('a resource that a prompt mentions by name or by a link is read; a link that no server knows stays a link', async () => {
  await using session = await open(() => ({ text: 'done' }))
  const promptWith = async (...prompt: readonly ContentBlock[]) => {
    await session.editor.prompt(session.sessionId, prompt)
    return promptIn(session.model.requests.at(-1))
  }
  const contentOf = (uri: string) =>
    `[The MCP server 'rich' gives this for ${uri}:]\nContent of ${uri}:\nThe text of ${uri}`
  expect(await promptWith({ type: 'text', text: 'What is in @rich:note://one?' })).toContain(
    contentOf('note://one'),
  )
  expect(await promptWith({ type: 'resource_link', uri: 'note://one', name: 'one' })).toContain(
    contentOf('note://one'),
  )
  // This link fits a template.
  expect(await promptWith({ type: 'resource_link', uri: 'diary://friday', name: 'friday' })).toContain(
    contentOf('diary://friday'),
  )
  const unknown = { type: 'resource_link', uri: 'file:///etc/hosts', name: 'hosts' } as const
  expect(await promptWith({ type: 'text', text: 'Ask @other:note://one' }, unknown)).not.toContain(
    'Content of',
  )
  expect(session.editor.permissionRequests()).toEqual([])
})

test('a server answers for no file and no page that a person mentions, whatever templates it has', async () => {
  await using dir = await openTempDir()
  const log = join(dir.path, 'log')
  const TEMPLATES = [
    'file:///t{+path}',
    'FILE:///{+path}',
    'https://g{+path}',
    'http://g{+path}',
    'no{+path}',
    '{+path}',
  ]
  const env = [{ name: 'TEMPLATES', value: JSON.stringify(TEMPLATES) }]
  await using session = await openScriptedSession({
    script: () => ({ text: 'done' }),
    mcpServers: [{ ...richServer({ log }), env }],
  })
  const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'it' })
  const uris = [
    'file:///tmp/plan.ts',
    'FILE:///tmp/plan.ts',
    'https://github.com/issue?key=1',
    'http://gone.example/',
    'notes:1',
  ]
  await session.editor.prompt(session.sessionId, [...uris, 'diary://friday'].map(link))
  const prompt = promptIn(session.model.requests.at(-1))
  for (const uri of uris) expect(prompt).toContain(`[it](${uri})`)
  const read = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('resources/read'))
  expect(read.map((line) => (JSON.parse(line) as { params: { uri: string } }).params.uri)).toEqual([
    'diary://friday',
  ])
})

test('each text of a server says which server it is from, whatever address it claims', async () => {
  await using session = await open(() => ({ text: 'done' }))
  await session.editor.prompt(session.sessionId, 'Read @rich:claims://two')
  const label = "[The MCP server 'rich' gives this for claims://two:]\n"
  expect(promptIn(session.model.requests.at(-1))).toContain(
    ['file:///etc/one', 'file:///etc/two'].map((uri) => `${label}Content of ${uri}:\nclaimed`).join('\n'),
  )
})

const modernServer = { ...richServer(), args: [fixturePath('modern-server.mjs'), 'stdio'] }

test.each([
  ['up to 2025-11-25', richServer()],
  ['of 2026-07-28', modernServer],
])(
  'a change of a resource that was read is reported at the next prompt, once: revision %s',
  async (_, server) => {
    await using session = await openScriptedSession({
      script({ messages }) {
        const last = messages.at(-1)?.parts ?? []
        const isAsked = last.some((part) => part.type === 'text' && part.text.startsWith('touch'))
        return isAsked
          ? { toolCalls: [{ name: 'rich__touch', args: { uri: 'note://one' } }] }
          : { text: 'ok' }
      },
      mcpServers: [server],
    })
    const { editor, model, sessionId } = session
    await editor.prompt(sessionId, 'Read @rich:note://one')
    await editor.prompt(sessionId, 'touch it')
    await editor.prompt(sessionId, 'And now?')
    expect(promptIn(model.requests.at(-1))).toContain(
      "[Changed since you read it: note://one of the server 'rich'.",
    )
    await editor.prompt(sessionId, 'Later?')
    expect(promptIn(model.requests.at(-1))).not.toContain('Changed since you read it')
  },
)

test.each([
  ['that has heard of it', ['touch it'], 'And now?'],
  ['that has read the resource again', ['touch it'], 'Read @rich:note://one again'],
  ['in which it happened', [], 'touch it'],
])('a change is reported after a prompt that counts as not sent, %s', async (_, earlier, refused) => {
  let isRefused = false
  await using session = await open(({ messages }) => {
    const isAsked = messages
      .at(-1)
      ?.parts.some((part) => part.type === 'text' && part.text.startsWith('touch'))
    if (isAsked === true) return { toolCalls: [{ name: 'rich__touch', args: { uri: 'note://one' } }] }
    return isRefused ? { status: 401 } : { text: 'ok' }
  })
  const { editor, model, sessionId } = session
  for (const prompt of ['Read @rich:note://one', ...earlier]) await editor.prompt(sessionId, prompt)
  isRefused = true
  await expect(editor.prompt(sessionId, refused)).rejects.toThrow(/rejected the API key/)
  isRefused = false
  await editor.prompt(sessionId, 'Later?')
  expect(promptIn(model.requests.at(-1))).toContain('Changed since you read it')
  await editor.prompt(sessionId, 'And then?')
  expect(promptIn(model.requests.at(-1))).not.toContain('Changed since you read it')
})

test('/resources lists what the servers have', async () => {
  await using session = await open([{ text: 'done' }])
  const { editor, sessionId } = session
  await editor.prompt(sessionId, 'hello')
  await editor.prompt(sessionId, '/resources')
  expect(editor.text(sessionId)).toContain(
    '**rich**\n- note://one (one: The first note)\n- template: diary://{day} (day)',
  )
  await editor.prompt(sessionId, '/resources ritch')
  expect(editor.text(sessionId)).toContain("No server with resources is named 'ritch'")
})
