import { expect, it } from 'vitest'
import { fixtureServer } from '../support/agent-files.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import { textOf } from '../support/loopback-model/script.ts'

const library = { command: process.execPath, args: [fixtureServer('library-server.mjs')] }

/** Returns the slash commands of a session with one server in the agent file, and what the model or else the person reads when one is sent. */
async function ask(entry: object, command: string) {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({ mcpServers: { books: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...library, ...entry } } })
  await using editor = await lab.start()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, command)
  const update = editor.updates(sessionId).findLast(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')
  const names = update?.sessionUpdate === 'available_commands_update' ? update.availableCommands.map(({ name }) => name) : []
  const asked = lab.model.requests.at(-1)?.messages.at(-1)
  return { commands: names.filter((name) => name.includes(':')), read: asked === undefined ? editor.text(sessionId) : textOf(asked) }
}

it.each([
  ['all of them where the file says nothing', {}, ['books:greet', 'books:travel'], 'Hello.'],
  ['those that are listed', { prompts: ['greet', 'gone'] }, ['books:greet'], 'Hello.'],
  ['none where the list is empty', { prompts: [] }, [], 'There is no command `/books:greet`. `/help` lists the commands.'],
])('prompts of a server are slash commands: %s', async (_, entry, commands, text) => {
  const { commands: found, read } = await ask(entry, '/books:greet')
  expect(found).toEqual(commands)
  expect(read).toBe(text)
})
