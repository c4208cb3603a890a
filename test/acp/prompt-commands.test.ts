import type { ClientCapabilities, CreateElicitationRequest } from '@agentclientprotocol/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureServer } from '../support/agent-files.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import type { ModelPart } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'

const library = { command: process.execPath, args: [fixtureServer('library-server.mjs')] }

/** Returns the slash commands of a session with one server in the agent file, and what the model or else the person reads when one is sent. */
async function ask(entry: object, command: string) {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({
    mcpServers: { books: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...library, ...entry } },
  })
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, command)
  const update = editor
    .updates(sessionId)
    .findLast(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')
  const names =
    update?.sessionUpdate === 'available_commands_update'
      ? update.availableCommands.map(({ name }) => name)
      : []
  const asked = lab.model.requests.at(-1)?.messages.at(-1)
  return {
    commands: names.filter((name) => name.includes(':')),
    read: asked === undefined ? editor.text(sessionId) : textOf(asked),
  }
}

it.each([
  ['all of them where the file says nothing', {}, ['books:greet', 'books:travel'], 'Hello.'],
  ['those that are listed', { prompts: ['greet', 'gone'] }, ['books:greet'], 'Hello.'],
  [
    'none where the list is empty',
    { prompts: [] },
    [],
    'There is no command `/books:greet`. `/help` lists the commands.',
  ],
])('prompts of a server are slash commands: %s', async (_, entry, commands, text) => {
  const { commands: found, read } = await ask(entry, '/books:greet')
  expect(found).toEqual(commands)
  expect(read).toBe(text)
})

const logging = {
  name: 'work',
  command: process.execPath,
  args: [fixtureServer('logging-server.mjs')],
  env: [],
}

/** A session in an editor that can show forms. */
interface FormSession extends AsyncDisposable {
  /** Sends one command, and answers its form. Returns the form, and what the model or else the person reads. */
  ask(
    command: string,
    answer: unknown,
  ): Promise<{
    readonly forms: readonly CreateElicitationRequest[]
    readonly parts: readonly ModelPart[]
    readonly text: string
  }>
}

async function openFormSession(
  capabilities: ClientCapabilities = { elicitation: { form: {} } },
): Promise<FormSession> {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openAgentLab())
  await lab.writeAgentFile({})
  let forms: CreateElicitationRequest[] = []
  let answer: unknown
  const onForm = (params: unknown) => {
    forms.push(params as CreateElicitationRequest)
    return answer
  }
  const editor = opened.use(await lab.open({ capabilities, handlers: { 'elicitation/create': onForm } }))
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [logging] })
  const all = opened.move()
  return {
    async ask(command, given) {
      forms = []
      answer = given
      const [requests, chars] = [lab.model.requests.length, editor.text(sessionId).length]
      await editor.prompt(sessionId, command)
      const parts = lab.model.requests.slice(requests).flatMap(({ messages }) => messages.at(-1)?.parts ?? [])
      return { forms, parts, text: editor.text(sessionId).slice(chars) }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

let shared: FormSession
beforeAll(async () => void (shared = await openFormSession()))
afterAll(() => shared[Symbol.asyncDispose]())

describe('a prompt whose arguments are missing', () => {
  const usage = 'This command needs: city. Usage: `/work:travel city [by]`'

  it('asks for them in a form, with what the server suggests', async () => {
    const { forms, parts } = await shared.ask('/work:travel', {
      action: 'accept',
      content: { city: 'Lisbon', by: 'tram' },
    })
    expect(forms).toMatchObject([
      {
        mode: 'form',
        requestedSchema: {
          properties: {
            city: {
              type: 'string',
              title: 'city',
              description: 'Where to',
              enum: ['Lisbon', 'Lima', 'Paris'],
            },
            by: { type: 'string', enum: ['bus'] },
          },
          required: ['city'],
        },
      },
    ])
    expect(parts).toContainEqual({ type: 'text', text: 'To Lisbon by tram.' })
  })

  it('asks only for those that are missing, and lets the server know the others', async () => {
    const { forms } = await shared.ask('/work:travel by=car', { action: 'accept', content: { city: 'Lima' } })
    expect(
      Object.keys((forms[0] as { requestedSchema: { properties: object } }).requestedSchema.properties),
    ).toEqual(['city'])
  })

  it.each([
    ['a cancelled form', { action: 'cancel' }],
    ['an empty answer', { action: 'accept', content: { city: '' } }],
  ])('shows how to use it: %s', async (_, answer) => {
    const { text, parts } = await shared.ask('/work:travel', answer)
    expect(text).toContain(usage)
    expect(parts).toEqual([])
  })

  it('shows how to use it in an editor without forms', async () => {
    await using plain = await openFormSession({})
    const { text, parts } = await plain.ask('/work:travel', { action: 'accept' })
    expect(text).toContain(usage)
    expect(parts).toEqual([])
  })

  it('asks nothing if only optional ones are missing', async () => {
    const { forms, parts } = await shared.ask('/work:travel Lima', { action: 'cancel' })
    expect(forms).toEqual([])
    expect(parts).toContainEqual({ type: 'text', text: 'To Lima by foot.' })
  })
})

it('images and embedded files of a prompt reach the model', async () => {
  const { parts } = await shared.ask('/work:album', { action: 'cancel' })
  expect(parts).toContainEqual({
    type: 'file',
    mediaType: 'image/png',
    data: Buffer.from('a picture').toString('base64'),
  })
  expect(JSON.stringify(parts)).toContain('An embedded note')
})
