import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formats } from '../support/acp-scripted.ts'
import { openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textIn } from '../support/loopback-model/window.ts'

// Behavior that has tests of its own in one format. Here, the model of each format reads it, and calls the tools for it.

const files = {
  'AGENTS.md': 'Feed the mare first.',
  'api/AGENTS.md': 'Every route has a test.',
  'api/list.txt': 'one\n',
  '.agents/skills/deploy/SKILL.md':
    '---\nname: deploy\ndescription: How to deploy the stable\n---\nRun deploy.sh.\n',
}
const usage = { inputTokens: 100_000, outputTokens: 10_000 }

const calls: Readonly<Record<string, readonly { readonly name: string; readonly args: object }[]>> = {
  'read the skill': [{ name: 'read_skill', args: { name: 'deploy' } }],
  edit: [
    { name: 'read_file', args: { path: 'api/list.txt' } },
    { name: 'edit_file', args: { path: 'api/list.txt', edits: [{ old_text: 'one', new_text: 'two' }] } },
  ],
}

/** Makes the calls of the prompt, one in each step. */
function script({ messages }: ModelRequest): Reply {
  const prompt = messages.findLastIndex((message) => message.role === 'user' && textIn(message) in calls)
  const results = messages.slice(prompt).filter(({ role }) => role === 'tool').length
  const call = prompt === -1 ? undefined : calls[textIn(messages[prompt])]?.[results]
  return { usage, ...(call === undefined ? { text: 'ok' } : { toolCalls: [call] }) }
}

const textsOf = (request: ModelRequest | undefined) => (request?.messages ?? []).map(textIn).join('\n')

describe.each(formats)('in the format %s', (vendor) => {
  test('instructions, skills, commands, /undo and cost', async () => {
    const type = vendor === 'openai-responses' ? 'openai' : vendor
    const prices = { currency: 'EUR', input: 3, output: 15 }
    const commands = [{ name: 'review', description: 'Review a file', prompt: 'Review $ARGUMENTS.' }]
    await using lab = await openSessionLab(script, {
      vendor,
      agent: { mode: 'auto', commands, providers: { [type]: { type, prices } } },
    })
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(lab.path, path)), { recursive: true })
      await writeFile(join(lab.path, path), text)
    }
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    const ask = async (prompt: string) => {
      expect(await editor.prompt(sessionId, prompt)).toEqual({ stopReason: 'end_turn' })
      return lab.model.requests.at(-1)
    }

    expect((await ask('hello'))?.system).toMatch(
      /Feed the mare first\.[^]*- deploy: How to deploy the stable/,
    )
    const cost = editor.updates(sessionId).findLast((update) => update.sessionUpdate === 'usage_update')
    expect(cost).toMatchObject({ used: 110_000, cost: { amount: 0.45, currency: 'EUR' } })

    expect(textsOf(await ask('read the skill'))).toMatch(/The folder of this skill is .*\s+Run deploy\.sh\./)
    expect(textIn((await ask('/review app.ts'))?.messages.at(-1))).toBe('Review app.ts.')

    expect(textsOf(await ask('edit'))).toMatch(/Every route has a test\.[^]*Edited api\/list\.txt/)
    expect(await readFile(join(lab.path, 'api/list.txt'), 'utf8')).toBe('two\n')
    const asked = lab.model.requests.length
    await ask('/undo')
    expect(lab.model.requests).toHaveLength(asked)
    expect(await readFile(join(lab.path, 'api/list.txt'), 'utf8')).toBe('one\n')
    expect(textsOf(await ask('what now?'))).toMatch(/I used \/undo[^]*restored/)
  })
})
