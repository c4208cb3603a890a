import type { RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { describe, expect, it, test } from 'vitest'
import { openScriptedSession, sumServer } from '../support/acp-scripted.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import { textOf } from '../support/loopback-model/script.ts'

const hello = () => ({ text: 'hello' })

describe('a line that begins with a slash', () => {
  test.each([
    ['a mistyped command', '/mpc', 'There is no command `/mpc`. Did you mean `/mcp`?'],
    [
      'a mistyped command with words after it',
      '/hlep tools',
      'There is no command `/hlep`. Did you mean `/help`?',
    ],
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
    ['a long word', `/${'x'.repeat(200)}`],
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
    expect(editor.text(sessionId)).toBe(`${lines.join('\n')}\n\nThe project has no instructions for agents.`)
  })

  test.each([
    ['/help mcp', /^Show the MCP servers .*\. Usage: `\/mcp \[reconnect/],
    ['/help /mcp', /^Show the MCP servers/],
    ['/help tols', /^There is no command `tols`; did you mean 'tools'\?$/],
  ])('%s', async (prompt, answer) => {
    await using session = await openScriptedSession({ script: hello })
    await session.editor.prompt(session.sessionId, prompt)
    expect(session.editor.text(session.sessionId)).toMatch(answer)
  })
})

async function answers(
  options: Partial<Parameters<typeof openScriptedSession>[0]>,
  ...prompts: readonly string[]
) {
  await using session = await openScriptedSession({ script: hello, ...options })
  const { editor, sessionId, model } = session
  const texts: string[] = []
  for (const prompt of prompts) {
    const before = editor.text(sessionId).length
    expect(await editor.prompt(sessionId, prompt)).toEqual({ stopReason: 'end_turn' })
    texts.push(editor.text(sessionId).slice(before))
  }
  return { texts, model: model.requests, updates: editor.updates(sessionId) }
}

describe('/tools', () => {
  it('is a table of each server, with what would happen to a call', async () => {
    const { texts, model } = await answers(
      { mcpServers: [sumServer()] },
      '/tools',
      '/tools sums',
      '/tools sum',
      '/tools add',
      '/tools add x:y',
    )
    const [all = '', one, near, usage, none] = texts
    expect(all).toMatch(
      /\*\*Ostler\*\* \(\d+; [\d,]+ tokens\)\n\n\| tool \| calls \| size \| description \|\n\| --- \| --- \| --- \| --- \|\n/,
    )
    expect(all).toMatch(/\| `read_file` \| allowed \| /)
    expect(all).toMatch(/\| `edit_file` \| asked \| /)
    // Patterns are not emphasis.
    expect(all).toMatch(/\| `find_files` \| .*\\\*/)
    expect(one).toMatch(
      /^\*\*sums\*\* \(1; (\d+ tokens)\)\n\n\| tool .*\n.*\n\| `add` \| asked \| \1 \| Adds \|/,
    )
    expect(near).toContain("There is no server 'sum' with tools; did you mean 'sums'?")
    expect(usage).toBe(
      'Usage: `/tools [server | add server:tool | remove server:tool | off server:tool | on server:tool]`',
    )
    expect(none).toBe('There is no tool `x:y`. `/tools` lists all tools.')
    expect(model).toEqual([])
  })

  it('counts the tools of each server if there are many', async () => {
    await using lab = await openAgentLab()
    const bold = { name: 'x', description: '<b>Finds</b> a|b in src/**.' }
    await lab.offer('git', [bold, ...Array.from({ length: 29 }, (_, index) => `tool_${index}`)])
    const server = (name: string) => ({ name, ...lab.command('git'), env: [] })
    const { texts } = await answers(
      { mcpServers: [server('git'), server('more'), server('most')] },
      '/mcp reconnect',
      '/tools',
      '/tools git',
    )
    expect(texts[1]).toMatch(/\| server \| tools \| calls \| size \|\n/)
    expect(texts[1]).toMatch(/\| git \| \d+ \| \d+ asked \| [\d,]+ tokens \|/)
    expect(texts[2]).toMatch(/^\*\*git\*\*/)
    expect(texts[2]).toContain(String.raw`| \<b>Finds\</b> a\|b in src/\*\*. |`)
  })
})

describe('/model', () => {
  it('shows the models, and chooses one by its name or a part of it', async () => {
    const prompts = [
      '/model',
      '/model haiku',
      '/model claude',
      '/model anthropic/claude-of-our-own',
      '/model nobody/nothing',
      '/model xyz',
      `/model ${'x'.repeat(1_000)}`,
      'go',
    ]
    const { texts, model, updates } = await answers({}, ...prompts)
    const [list, haiku, several, own, nobody, unknown, long] = texts
    expect(long).toBe('Usage: `/model [provider/model | part of a name]`')
    expect(list).toMatch(
      /^The model is `anthropic\/claude-sonnet-4-5`\. Its level of thinking is default \(possible: default, off, low, medium, high\)/,
    )
    expect(list).toContain('- `anthropic/claude-sonnet-4-5`: Claude Sonnet 4.5 (current)')
    expect(haiku).toMatch(/^The model is `anthropic\/claude-haiku-5-5`\./)
    expect(several).toMatch(/^Several models match:\n\n- `anthropic\/claude/)
    expect(own).toMatch(/^The model is `anthropic\/claude-of-our-own`/)
    expect(nobody).toMatch(/^There is no provider "nobody"/)
    expect(unknown).toMatch(/^"xyz" is not a model/)
    expect(model.map((request) => request.model)).toEqual(['claude-of-our-own'])
    const options = updates.findLast(({ sessionUpdate }) => sessionUpdate === 'config_option_update')
    expect(JSON.stringify(options)).toContain('"currentValue":"anthropic/claude-of-our-own"')
  })
})

describe('/permissions', () => {
  it('shows the mode, the settings and the lasting answers', async () => {
    const call = { toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 } }] }
    const { texts } = await answers(
      {
        mcpServers: [sumServer()],
        onPermission: ({ options }) => ({
          outcome: {
            outcome: 'selected',
            optionId: options.find(({ kind }) => kind === 'allow_always')?.optionId,
          },
        }),
        script: ({ messages }) => (messages.some(({ role }) => role === 'tool') ? { text: 'ok' } : call),
      },
      '/permissions',
      'Add',
      '/permissions',
      '/permissions now',
    )
    const [before, , after, usage] = texts
    expect(before).toMatch(/^The mode is `always-ask`\. You are asked before every call/)
    expect(before).toMatch(/You have given no lasting answers\.$/)
    expect(after).toMatch(/\*\*Your lasting answers\*\*\n- `sums:add`: allow, /)
    expect(usage).toBe('Usage: `/permissions`')
  })
})

describe('/history', () => {
  it('shows the last calls of the session', async () => {
    const call = { toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 } }] }
    const { texts } = await answers(
      {
        mcpServers: [sumServer()],
        agent: { mode: 'auto' },
        script: ({ messages }) => (messages.some(({ role }) => role === 'tool') ? { text: 'ok' } : call),
      },
      '/history',
      'Add',
      '/history',
      '/history 1',
      '/history all',
    )
    const [none, , table, one, usage] = texts
    expect(none).toBe('This session has no tool calls.')
    expect(table).toMatch(
      /^\| time \| tool \| result \| took \| permission \|\n\| --- .*\n\| \d\d:\d\d:\d\d \| `sums:add` \| success \| (?:\\<)?[\d.]+ m?s \| allow \(mode:auto\) \|$/,
    )
    expect(one).toBe(table)
    expect(usage).toBe('Usage: `/history [number]`, from 1 to 200')
  })

  it('says in one line why a call did not run, but not twice', async () => {
    const call = { toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 } }] }
    const outcomes: RequestPermissionResponse['outcome'][] = [
      { outcome: 'selected', optionId: 'reject-once' },
      { outcome: 'cancelled' },
    ]
    await using session = await openScriptedSession({
      mcpServers: [sumServer()],
      script: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'ok' } : call),
      onPermission: () => ({ outcome: outcomes.shift() ?? { outcome: 'cancelled' } }),
    })
    const { editor, sessionId } = session
    for (const prompt of ['Add', 'Add again', '/history']) await editor.prompt(sessionId, prompt)
    const rows = editor.text(sessionId).split('\n').slice(-2)
    expect(rows[0]).toContain(
      '| denied: The person did not allow this call. Nothing was run. Do not try it again unless… |',
    )
    expect(rows[1]).toContain('| cancelled |')
  })
})
