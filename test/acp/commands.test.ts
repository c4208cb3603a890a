import { describe, expect, it, test } from 'vitest'
import { openScriptedSession } from '../support/acp-scripted.ts'
import { textOf } from '../support/loopback-model/script.ts'

const hello = () => ({ text: 'hello' })

describe('a line that begins with a slash', () => {
  test.each([
    ['a mistyped command', '/mpc', 'There is no command `/mpc`. Did you mean `/mcp`?'],
    ['a mistyped command with words after it', '/hlep tools', 'There is no command `/hlep`. Did you mean `/help`?'],
    ['a word alone', '/frobnicate', 'There is no command `/frobnicate`. `/help` lists the commands.'],
  ])('is answered without the model: %s', async (_, prompt, answer) => {
    await using session = await openScriptedSession({ script: hello })
    await session.editor.prompt(session.sessionId, prompt)
    expect(session.editor.text(session.sessionId)).toBe(answer)
    expect(session.model.requests).toEqual([])
  })

  test.each([
    ['a path', '/usr/bin/env is missing'],
    ['a folder', '/tmp'],
    ['a word that begins a sentence', '/frobnicate was removed, why?'],
    ['a comment', '// what does this do?'],
    ['a slash', '/'],
  ])('is read by the model: %s', async (_, prompt) => {
    await using session = await openScriptedSession({ script: hello })
    await session.editor.prompt(session.sessionId, prompt)
    expect(textOf(session.model.requests[0]?.messages.at(-1))).toBe(prompt)
  })
})

describe('/help', () => {
  it('lists the commands that the editor knows', async () => {
    await using session = await openScriptedSession({ script: hello })
    const { editor, sessionId } = session
    const { availableCommands } = await editor.waitForUpdate(sessionId, 'available_commands_update')
    await editor.prompt(sessionId, '/help')
    const lines = availableCommands.map(({ name, description, input }) => {
      const hint = input && 'hint' in input ? ` ${input.hint}` : ''
      return `- \`/${name}${hint}\`: ${description}`
    })
    expect(editor.text(sessionId)).toBe(lines.join('\n'))
  })

  test.each([
    ['/help mcp', /^Show the MCP servers .*\. Usage: `\/mcp \[reconnect/],
    ['/help /mcp', /^Show the MCP servers/],
    ['/help tols', /^There is no command 'tols'; did you mean 'tools'\?$/],
  ])('%s', async (prompt, answer) => {
    await using session = await openScriptedSession({ script: hello })
    await session.editor.prompt(session.sessionId, prompt)
    expect(session.editor.text(session.sessionId)).toMatch(answer)
  })
})

it('a session that begins with commands is named after the first prompt for the model', async () => {
  await using session = await openScriptedSession({ script: hello })
  const { editor, sessionId } = session
  for (const prompt of ['/tools', '/mpc', 'Fix the tests']) await editor.prompt(sessionId, prompt)
  const update = await editor.waitForUpdate(sessionId, 'session_info_update')
  expect(update.title).toBe('Fix the tests')
  expect(editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'session_info_update')).toHaveLength(1)
})
