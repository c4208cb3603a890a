import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { lastResult } from '../support/last-result.ts'
import type { Script } from '../support/loopback-model/index.ts'
import { survivorsAfter, descendantsOf, isAlive, until } from '../support/processes.ts'
import { openChat } from './chat-lab.ts'
import { openRunLab } from './run-lab.ts'
import { hasTerminal } from './run-on-terminal.ts'

const touchThenSay: Script = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'It is done.' }
    : { text: 'I will make it.', toolCalls: [{ name: 'run_command', args: { command: 'touch made' } }] }

const sleeping: Script = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'over' }
    : { toolCalls: [{ name: 'run_command', args: { command: 'echo $$ > pid; sleep 600' } }] }

const escape = '\u001b'
/** The end of every chat: no bracketed paste, the cursor, no styles. */
const restored = `${escape}[?2004l${escape}[?25h${escape}[0m`

describe.runIf(hasTerminal)('a chat on a terminal of 80 columns and 24 rows', () => {
  test('shows Markdown as it comes, and the status below', async () => {
    await using lab = await openRunLab(() => ({
      text: ['A **bold** word and ', '`code`.\n\n- one\n', '- two\n'],
    }))
    await using chat = openChat(lab)
    await chat.shows('always-ask')
    chat.press('hello\r')
    await chat.shows('A bold word and code.\n\n- one\n- two\n')
    await chat.shows(/>\n.* · always-ask · context \d+% of \d+k/)
    expect(chat.output()).toContain(`${escape}[1mbold`)
    await chat.answered()
    chat.press('\u0004')
    const { code, before, after } = await chat.ended
    expect(code).toBe(0)
    expect(after).toBe(before)
    expect(chat.output().endsWith(restored)).toBe(true)
  })

  test('without color, the text is the same and the marks stay', async () => {
    await using lab = await openRunLab(() => ({ text: 'A **bold** word.\n' }))
    await using chat = openChat(lab, ['hello'], { env: { NO_COLOR: '1' } })
    await chat.shows('A **bold** word.')
    expect(chat.output()).not.toContain(`${escape}[1m`)
    expect(chat.output()).not.toContain(`${escape}[2m`)
    await chat.answered()
    chat.press('/exit\r')
    expect((await chat.ended).code).toBe(0)
  })

  test('a question shows the whole command, and a key answers it', async () => {
    await using lab = await openRunLab(touchThenSay)
    await using chat = openChat(lab, ['make a file'])
    await chat.shows(/Command:\n\n {2}touch made\n\n/)
    await chat.shows(/ {2}y {2}Allow once\n(.*\n)* {2}n {2}Reject once/)
    await chat.answer('y')
    await chat.shows(/✓ touch made[^]*It is done\./)
    expect(existsSync(join(lab.path, 'made'))).toBe(true)
  })

  test('a question about a file shows the diff, and what happens while it stands is shown after its answer', async () => {
    await using lab = await openRunLab(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'done' }
        : {
            toolCalls: [
              { name: 'run_command', args: { command: 'until test -e go; do sleep 0.05; done; touch gone' } },
              { name: 'write_file', args: { path: 'notes.txt', content: 'new words\n' } },
            ],
          },
    )
    await using chat = openChat(lab, ['write'])
    await chat.shows('touch gone\n')
    await chat.answer('y')
    await chat.shows(/@@ .* @@\n\+new words/)
    await writeFile(join(lab.path, 'go'), '')
    await until('the end of the command', () => existsSync(join(lab.path, 'gone')))
    await chat.waitToRead()
    expect(chat.screen.text()).not.toContain('✓')
    chat.press('n')
    await chat.shows(/\+new words\n✓ until[^]*✗/)
    expect(existsSync(join(lab.path, 'notes.txt'))).toBe(false)
  })

  test('keys that were typed before a question appeared do not answer it', async () => {
    await using lab = await openRunLab(touchThenSay)
    await using chat = openChat(lab)
    await chat.shows('always-ask')
    chat.press('make a file\r')
    chat.press('yyyyyy')
    await chat.answer('n')
    await chat.shows('✗ touch made')
    expect(existsSync(join(lab.path, 'made'))).toBe(false)
  })

  test('says what it waits for, which servers fail, and why it ended, in rows that break between words', async () => {
    await using lab = await openRunLab(({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('wait')
        ? { status: 429, headers: { 'retry-after': '50' } }
        : { toolCalls: [{ name: 'list_directory', args: { path: '.' } }] },
    )
    const file = join(lab.path, 'mcp.json')
    await writeFile(
      file,
      JSON.stringify({ mcpServers: { one: { command: 'no-such-one' }, two: { command: 'no-such-two' } } }),
    )
    await using chat = openChat(lab, ['--max-steps', '1', '--mcp-config', file, 'wait'])
    await chat.shows(
      '2 MCP servers not available:\n  one: command not found: no-such-one\n  two: command not found: no-such-two\n',
    )
    await chat.shows(/\(429\)[^]*Retrying in \d+ s\./)
    chat.press(escape)
    await chat.shows('Cancelled.')
    await chat.answered()
    chat.press('list\r')
    await chat.shows('The limit of requests to the model has been reached. To continue, enter\n"continue".')
    expect(chat.screen.text().split('no-such-one')).toHaveLength(2)
    await chat.answered()
    chat.press('/exit\r')
    expect((await chat.ended).code).toBe(0)
  })

  test('Esc cancels the answer and its command, and the chat continues', async () => {
    await using lab = await openRunLab(sleeping)
    await using chat = openChat(lab, ['x', '--approve', 'auto'])
    const pid = await until('the command to run', async () =>
      Number(await readFile(join(lab.path, 'pid'), 'utf8').catch(() => '')),
    )
    await chat.shows('(Esc cancels)')
    chat.press(escape)
    await chat.shows('Cancelled.')
    expect(await survivorsAfter([pid], 4_000)).toEqual([])
    await chat.answered()
    chat.press('\u0003')
    await chat.shows('Press Ctrl-C again to exit.')
    chat.press('\u0003')
    expect((await chat.ended).code).toBe(0)
  })

  test('commands are completed with Tab, a pasted text keeps its lines and does not send itself, and an image is attached by its path', async () => {
    await using lab = await openRunLab()
    await writeFile(join(lab.path, 'shot.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    await using chat = openChat(lab)
    await chat.shows('always-ask')
    chat.press('/')
    await chat.shows('/help  List the commands')
    chat.press('mod')
    await chat.shows(/\/model {2}.*\n {2}\/mode {2}/)
    chat.press('\u0015/mode re\t')
    await chat.shows('> /mode read-only')
    chat.press('\r')
    await chat.shows(' · read-only')

    chat.press(`${escape}[200~one\rtwo${escape}[201~`)
    await chat.shows('> one\n  two')
    expect(lab.model.requests).toHaveLength(0)
    chat.press('\r')
    await chat.shows('hello')
    await chat.answered()
    expect(JSON.stringify(lab.model.requests[0]?.messages)).toContain(String.raw`one\ntwo`)

    chat.press('What is in sho\t')
    await chat.shows('> What is in shot.png')
    chat.press('\r')
    await chat.shows('Attached: file://')
    await lab.model.waitForRequests(2)
    expect(JSON.stringify(lab.model.requests[1]?.body)).toContain('"image/png"')
  })

  test('a chat that is continued shows the end of the conversation, and the arrows bring back its lines', async () => {
    const answer = Array.from({ length: 30 }, (_, at) => `- item ${at}\n`)
    await using lab = await openRunLab(() => ({ text: answer }))
    {
      await using chat = openChat(lab, ['the first line'])
      await chat.shows('- item 29')
      await chat.answered()
      chat.press('\u0004')
      await chat.ended
    }
    await using chat = openChat(lab, ['--continue'])
    await chat.shows(
      /^> the first line\n\n- item 0\n(?:- item \d\n)+… \d+ more rows\n\nContinuing the session \w{8}\./,
    )
    await chat.shows(/always-ask · context \d+% of/)
    chat.press('half')
    await chat.shows('> half')
    chat.press(`${escape}[A`)
    await chat.shows('> the first line')
    chat.press(`${escape}[B`)
    await chat.shows('> half')
    const kept = join(lab.env['HOME'] ?? '', '.local/state/ostler/chat-lines.jsonl')
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
  })

  test('an answer longer than the screen is complete in the scrollback', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at} ${'word '.repeat(at % 30)}`.trimEnd())
    await using lab = await openRunLab(() => ({ text: lines.map((line) => `${line}\n\n`) }))
    await using chat = openChat(lab, ['x'])
    await chat.shows('line 199')
    const shown = chat.screen.text().replaceAll(/\s+/g, ' ')
    for (const line of lines) expect(shown).toContain(line)
  })

  test('only text of a model or a tool reaches the terminal', async () => {
    await using lab = await openRunLab(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: ['done \u001b', ']0;owned\u0007 \u009b31mred\u202e\u200b\r\u0008 end'] }
        : {
            text: 'before \u001b[2J\u001b[5;5H',
            toolCalls: [
              {
                name: 'run_command',
                args: { command: "printf '\\033[2J\\033]0;owned\\007'; : \u001b[8mhidden" },
              },
            ],
          },
    )
    // The screen of the test throws on a sequence that a chat does not need, and on every control character.
    await using chat = openChat(lab, ['x', '--approve', 'auto'])
    await chat.shows(/done.*red.* end/)
    expect(chat.screen.text()).toContain('before')
    for (const hidden of ['\u202e', '\u200b', '\u009b', '\u0008']) expect(chat.output()).not.toContain(hidden)
    await chat.answered()
    chat.press('\u0004')
    expect((await chat.ended).code).toBe(0)
  })

  test('a form is filled in, field by field, and the session costs what its provider says', async () => {
    const schema = {
      type: 'object',
      properties: { horse: { type: 'string', enum: ['Juno', 'Bramble'] }, apples: { type: 'integer' } },
      required: ['horse', 'apples'],
    }
    await using lab = await openRunLab(
      (request) =>
        lastResult(request) === undefined
          ? {
              toolCalls: [{ name: 'ask_person', args: { message: 'Which **horse**?', schema } }],
              usage: { inputTokens: 50_000, outputTokens: 0 },
            }
          : { text: `It eats: ${lastResult(request)}`, usage: { inputTokens: 50_000, outputTokens: 0 } },
      { providers: { anthropic: { type: 'anthropic', prices: { currency: 'EUR', input: 30, output: 90 } } } },
    )
    await using chat = openChat(lab, ['feed'])
    await chat.shows(/Which horse\?[^]*y {2}Answer\n/)
    await chat.waitToRead()
    chat.press('y')
    await chat.shows(/1 {2}Juno\n {2}2 {2}Bramble[^]*horse \(number\):/)
    chat.press('2\r')
    await chat.shows('apples:')
    chat.press('many\r')
    await chat.shows('This must be a whole number.')
    chat.press('3\r')
    await chat.shows('It eats: {"horse":"Bramble","apples":3}')
    await chat.shows(/ · context \d+% of \d+k · 3\.00 EUR/)
    expect(lab.model.requests).toHaveLength(2)
  })

  test('Ctrl-Z gives the terminal to the shell, and the chat continues after fg, also in a terminal of another size', async () => {
    await using lab = await openRunLab(() => ({ text: 'word '.repeat(30) }))
    await using chat = openChat(lab, [], { isJob: true })
    await chat.shows('always-ask')
    chat.press('half a line\u001a')
    await chat.shows('stopped')
    expect(await chat.stopped()).toBe(await readFile(join(lab.path, '.before'), 'utf8'))
    expect(chat.output()).toContain(restored)
    chat.press('\n')
    await chat.shows(/stopped\n+> half a line\n/)
    await chat.resize(40, 12)
    await chat.shows(/\n[^\n]{1,39}$/)
    chat.press('\r')
    await chat.shows(/(?:word ){7}word\n(?:word ){7}/)
    await chat.answered()
    expect(chat.screen.rows().every((row) => row.length < 40)).toBe(true)
    chat.press('\u0004')
    const { code, before, after } = await chat.ended
    expect(code).toBe(0)
    expect(after).toBe(before)
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s in the middle of a command ends everything, and leaves the terminal as it was',
    async (signal, exitCode) => {
      await using lab = await openRunLab(sleeping)
      await using chat = openChat(lab, ['x', '--approve', 'auto'])
      const command = await until('the command to run', async () =>
        Number(await readFile(join(lab.path, 'pid'), 'utf8').catch(() => '')),
      )
      const pid = await chat.pid()
      const children = await descendantsOf(pid)
      process.kill(pid, signal)
      const { code, before, after } = await chat.ended
      expect(code).toBe(exitCode)
      expect(after).toBe(before)
      expect(chat.output().endsWith(restored)).toBe(true)
      for (const child of [command, ...children])
        await until(`the end of process ${child}`, async () => !(await isAlive(child)))
    },
  )

  test('a crash leaves the terminal as it was', async () => {
    await using lab = await openRunLab()
    const crash = join(lab.path, 'crash.mjs')
    await writeFile(crash, `process.on('SIGUSR2', () => { throw new Error('crashed on purpose') })`)
    await using chat = openChat(lab, [], { nodeArgs: [`--import=${pathToFileURL(crash).href}`] })
    await chat.shows('always-ask')
    process.kill(await chat.pid(), 'SIGUSR2')
    const { code, before, after } = await chat.ended
    expect(code).not.toBe(0)
    expect(after).toBe(before)
    expect(chat.output()).toContain('crashed on purpose')
    expect(chat.output()).toContain(restored)
  })
})

test('a chat without a terminal fails with one sentence', async () => {
  await using lab = await openRunLab()
  const { code, stdout, stderr } = await lab.run(['chat'], { input: 'hello\n' })
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ostler: A chat needs a terminal. Use `ostler run` without one.\n',
  })
})

test('wrong flags of a chat are usage errors', async () => {
  await using lab = await openRunLab()
  expect(await lab.run(['chat', '--approve', 'maybe'])).toMatchObject({ code: 2 })
  expect(await lab.run(['chat', '--max-steps', 'x'])).toMatchObject({ code: 2 })
})
