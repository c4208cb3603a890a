import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { neverAnswer } from '../support/acp-harness.ts'
import { processesWithArgument, survivorsAfter, until } from '../support/processes.ts'
import { editors, openToolSession, type ToolSession } from '../support/tool-session.ts'

const terminals = { terminal: true }

/** Contents of a call's card, in order. */
const cardsOf = ({ editor, sessionId }: ToolSession) =>
  editor.updates(sessionId).flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? [update] : []))

/** A command with a word by which its processes are found. */
const marked = (line: string) => {
  const mark = randomUUID()
  return { mark, line: `MARK=${mark}; ${line.replaceAll('sleep', `sh -c 'sleep "$@"; :' ${mark}`)}` }
}

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  const hasTerminal = 'terminal' in capabilities
  /** The session of the tests that leave nothing behind. */
  let shared: ToolSession
  beforeAll(async () => void (shared = await openToolSession(capabilities)))
  afterAll(() => shared[Symbol.asyncDispose]())

  test('a command runs as a shell line, and its output and exit code come back', async () => {
    await mkdir(join(shared.cwd, 'sub'))
    const result = await shared.call('run_command', {
      command: 'echo out | tr o O; echo err >&2; pwd; exit 3',
      cwd: 'sub',
    })
    for (const part of ['Out', 'err', join(shared.cwd, 'sub'), '[exit code 3]'])
      expect(result).toContain(part)
    expect(cardsOf(shared).at(-1)).toMatchObject({ status: 'failed' })
    expect(await shared.call('run_command', { command: 'true' })).toBe('[no output]\n\n[exit code 0]')
    expect(cardsOf(shared).at(-1)).toMatchObject({ status: 'completed' })
  })

  test('/history says how a command ended', async () => {
    await shared.call('run_command', { command: 'echo out; exit 3' })
    await shared.call('run_command', { command: 'exit 4' })
    await shared.editor.prompt(shared.sessionId, '/history')
    expect(shared.editor.text(shared.sessionId)).toMatch(
      / error: \[exit code 3\] [^]* error: \[exit code 4\] /,
    )
  })

  test('the question and the card show the whole command, with hidden characters', async () => {
    const command = `echo ${'x'.repeat(300)}\necho \u202eevil`
    await shared.call('run_command', { command })
    const question = shared.editor.permissionRequests().at(-1)
    const shown = JSON.stringify(question?.toolCall)
    expect(shown).toContain('x'.repeat(300))
    expect(shown).toContain(String.raw`\\u202e`)
    expect(question?.toolCall).toMatchObject({
      kind: 'execute',
      title: expect.stringMatching(/^echo x+ ⏎ echo \\u202eevil$/),
    })
    await shared.call('run_command', { command: 'echo "npm test"' })
    expect(shared.editor.permissionRequests().at(-1)?.toolCall.title).toBe('echo "npm test"')
  })

  test('a command that takes too long is ended, and its output so far stays', async () => {
    await using session = await openToolSession(capabilities)
    const { mark, line } = marked('echo before; sleep 300; echo after')
    const result = await session.call('run_command', { command: line, timeout: 1 })
    expect(result).toContain('before')
    expect(result).not.toContain('after\n')
    expect(result).toContain('[timed out: stopped after 1 s.')
    expect(JSON.stringify(cardsOf(session).at(-1)?.content)).toContain(hasTerminal ? 'terminal-1' : 'before')
    await until('its processes to be gone', async () => (await processesWithArgument(mark)).length === 0)
    expect(session.services.open.size).toBe(0)
  })

  test('a cancelled command is gone', async () => {
    await using session = await openToolSession(capabilities)
    const { mark, line } = marked('echo begun; sleep 300')
    const called = session.call('run_command', { command: line })
    await until('the card', () =>
      JSON.stringify(cardsOf(session).at(-1)?.content ?? '').match(/begun|terminal-1/),
    )
    const pids = await until('the command to run', async () => {
      const found = await processesWithArgument(mark)
      return found.length > 1 && found
    })
    const seen = cardsOf(session).at(-1)?.content
    session.editor.notify('session/cancel', { sessionId: session.sessionId })
    await called
    // The shown output stays.
    expect(cardsOf(session).at(-1)).toMatchObject({
      status: 'failed',
      content: [...(seen ?? []), { content: { text: 'cancelled' } }],
    })
    expect(await survivorsAfter(pids, 10_000)).toEqual([])
    await until('the terminal to be released', () => session.services.open.size === 0)
  })

  test('a command in the background outlives its call, is read and stopped by id, and is reported to the person', async () => {
    await using session = await openToolSession(capabilities)
    const { editor, sessionId } = session
    const { mark, line } = marked('echo ready; sleep 1; echo later; sleep 300')
    expect(await session.call('run_command', { command: line, background: true })).toContain('the id "c1"')
    expect(editor.text(sessionId)).toMatch(
      /\n\nStill running until the session ends: `MARK=.*` \(c1\)\. `\/stop` stops it\./,
    )
    await until('the second line', async () =>
      (await session.call('command_output', { id: 'c1' })).includes('later'),
    )
    const result = await session.call('command_output', { id: 'c1', from: 0 })
    expect(result).toContain('ready\nlater')
    expect(result).toContain('[still running after')
    const [asked] = [editor.permissionRequests().length]
    expect(await session.call('stop_command', { id: 'c1' })).toContain('[stopped]')
    expect(await survivorsAfter(await processesWithArgument(mark), 5_000)).toEqual([])
    expect(await session.call('command_output', { id: 'c1', from: 0 })).toContain('ready\nlater')
    expect(editor.permissionRequests().length).toBe(asked)
    expect(await session.call('command_output', { id: 'c9' })).toBe(
      'There is no command "c9". Known commands: c1.',
    )
    const told = editor.text(sessionId).split('Still running').length
    await session.call('run_command', { command: 'true' })
    expect(editor.text(sessionId).split('Still running').length).toBe(told)
  })

  test('output that was read in a prompt that counts as not sent is new again', async () => {
    await using session = await openToolSession(capabilities)
    const command = 'until test -e go; do sleep 0.05; done; echo later; sleep 300'
    await session.call('run_command', { command, background: true })
    await writeFile(join(session.cwd, 'go'), '')
    await until('the output', async () =>
      (await session.call('command_output', { id: 'c1', from: 0 })).includes('later'),
    )
    await session.callUnsent('command_output', { id: 'c1' })
    expect(await session.call('command_output', { id: 'c1' })).toContain('later')
  })

  test('/stop ends one command in the background, or all, and the model learns of it', async () => {
    await using session = await openToolSession(capabilities)
    const { editor, sessionId } = session
    const stop = async (prompt: string) => {
      const before = editor.text(sessionId).length
      await editor.prompt(sessionId, prompt)
      return editor.text(sessionId).slice(before).split('\n\nStill running')[0]
    }
    expect(await stop('/stop')).toBe('No command is running in the background.')
    const all = [marked('sleep 300'), marked('sleep 301'), marked('sleep 302')]
    for (const { line } of all) await session.call('run_command', { command: line, background: true })
    expect(editor.text(sessionId)).toContain('`/stop` stops all of them, `/stop ID` stops one.')
    expect(await stop('/stop c9')).toMatch(
      /^There is no running command `c9`\. Running: `MARK=.* 300` \(c1\), /,
    )
    expect(await stop('/stop c2')).toMatch(/^Stopped `MARK=.* 301` \(c2\)\.$/)
    expect(await survivorsAfter(await processesWithArgument(all[1]!.mark), 5_000)).toEqual([])
    expect(await processesWithArgument(all[0]!.mark)).not.toEqual([])
    expect(await stop('/stop')).toMatch(/^Stopped `.* 300` \(c1\), `.* 302` \(c3\)\.$/)
    for (const { mark } of all)
      expect(await survivorsAfter(await processesWithArgument(mark), 5_000)).toEqual([])
    expect(await session.call('command_output', { id: 'c1' })).toMatch(/\[ended|\[exit code/)
    const told = JSON.stringify(session.model.requests.at(-1)?.messages)
    expect(told).toContain('I used /stop')
    expect(told).not.toContain('was not answered')
  })

  test('a command has no pager, editor or prompt, which would wait for a key', async () => {
    const command = 'echo "$GIT_PAGER $PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT $TERM"'
    expect(await shared.call('run_command', { command })).toContain('cat cat true 0 dumb')
  })

  test('git takes no folder of the project for a repository, and still has the settings of the person', async () => {
    const bare = join(shared.cwd, 'sample')
    const token = `ghp_${'a1B2'.repeat(9)}`
    execFileSync('git', ['init', '-q', '--bare', bare])
    execFileSync('git', ['config', 'core.bare', 'false'], { cwd: bare })
    execFileSync('git', ['config', 'core.worktree', bare], { cwd: bare })
    execFileSync('git', ['config', 'core.fsmonitor', `touch ${join(shared.cwd, 'ran')}; false`], {
      cwd: bare,
    })
    const settings = [
      ['http.extraHeader', `Authorization: Bearer ${token}`],
      ['http.https://b.test.extraHeader', 'Authorization: Basic bWU6aHVudGVyMg=='],
      [`url.https://me:${token}@a.test/.insteadOf`, 'https://a.test/'],
      ['user.name', 'Ada'],
    ] as const
    const own = Object.fromEntries([
      ['GIT_CONFIG_COUNT', String(settings.length)],
      ...settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ])
    Object.assign(process.env, own)
    try {
      expect(await shared.call('run_command', { command: 'git status', cwd: 'sample' })).toContain(
        'safe.bareRepository',
      )
      expect(await shared.call('run_command', { command: 'git config user.name' })).toContain('Ada')
      // A terminal has the environment of the editor.
      if (!hasTerminal)
        expect(await shared.call('run_command', { command: 'env' })).not.toMatch(
          /extraHeader|insteadOf|GIT_CONFIG_VALUE_2/,
        )
    } finally {
      for (const name of Object.keys(own)) delete process.env[name]
    }
    expect(existsSync(join(shared.cwd, 'ran'))).toBe(false)
  })

  test('a command that fails at once is not left in the background', async () => {
    expect(await shared.call('run_command', { command: 'no-such-program', background: true })).toContain(
      '[exit code 127]',
    )
    expect(shared.editor.text(shared.sessionId)).not.toContain('Still running')
  })

  test('everything in the background ends with the session', async () => {
    const session = await openToolSession(capabilities)
    const { mark, line } = marked('sleep 300')
    await session.call('run_command', { command: line, background: true })
    const pids = await processesWithArgument(mark)
    expect(pids.length).toBeGreaterThan(0)
    await session[Symbol.asyncDispose]()
    expect(await survivorsAfter(pids, 5_000)).toEqual([])
  })

  test('a call that cannot run is refused with a reason', async () => {
    await writeFile(join(shared.cwd, 'file'), '')
    const cases: readonly [args: Record<string, unknown>, result: RegExp][] = [
      [
        { command: 'true', cwd: 'missing' },
        /The directory "missing" cannot be used: no such file or directory\./,
      ],
      [{ command: 'true', cwd: 'file' }, /The directory "file" cannot be used: it is not a directory\./],
      [{ command: 'true', cwd: 'a\0b' }, /it contains a NUL character\./],
      [{ command: 'a\0b' }, /The command contains a NUL character\./],
      [{ command: ' \n' }, /The command is empty\./],
      [{ command: `: ${'x'.repeat(200_000)}` }, /The command is too long: write it to a file and run that\./],
      [{ command: 'true', timeout: 601 }, /timeout/],
      [{ command: 'true', timeout: 0 }, /timeout/],
      [{ command: '' }, /command/],
      [{ command: ['ls'] }, /command/],
    ]
    const asked = shared.editor.permissionRequests().length
    const results = await shared.callTogether(cases.map(([args]) => ({ name: 'run_command', args })))
    for (const [index, [args, result]] of cases.entries())
      expect(results[index], JSON.stringify(args).slice(0, 100)).toMatch(result)
    expect(shared.editor.permissionRequests()).toHaveLength(asked)
  })

  test('whatever a command does to its streams or itself, its result is text', async () => {
    const cases: readonly [line: string, result: RegExp][] = [
      ['cat; read x; echo "got [$x]"', /got \[\]/],
      [
        `printf '10%%\\r50%%\\r100%%\\n\\033[31mred\\033[0m \\342\\200\\256evil\\n'`,
        /```\n100%\nred evil\n```/,
      ],
      ['head -c 3000 /dev/urandom', /\[binary output is not shown\]/],
      ['exec >&- 2>&-; sleep 0.2; exit 7', /\[exit code 7\]/],
      ['kill -KILL $$', /\[ended by signal (?:SIGKILL|9)\]|\[exit code 137\]/],
      ["echo '```'; echo text", /````\n```\ntext\n````/],
      ['"', /\[exit code 2\]/],
    ]
    const results = await shared.callTogether(
      cases.map(([command]) => ({ name: 'run_command', args: { command } })),
    )
    for (const [index, [line, result]] of cases.entries()) expect(results[index], line).toMatch(result)
  })

  test('the end of a long output is kept, and the rest is read by its id', async () => {
    await using session = await openToolSession(capabilities)
    const result = await session.call('run_command', { command: 'seq 1 50000' })
    expect(result).toContain('49999\n50000\n')
    expect(result).not.toContain('\n1\n')
    expect(result).toMatch(
      /^\[[\d,]+ bytes before this are not shown. To read them, use command_output with "id": "c1" and "from": 0.\]/,
    )
    const page = await session.call('command_output', { id: 'c1', from: 0 })
    expect(page).toContain('```\n1\n2\n3\n')
    const [, next] = /"from": (\d+)/.exec(page) ?? []
    const following = await session.call('command_output', { id: 'c1', from: Number(next) })
    const lastOf = (text: string) => Number(/(\d+)\n```/.exec(text)?.[1])
    expect(lastOf(following)).toBeGreaterThan(lastOf(page))
    expect(await session.call('command_output', { id: 'c1', from: 10_000_000 })).toContain(
      'there is nothing at 10,000,000',
    )
  })
})

describe('without terminals', () => {
  test('the output is shown while the command runs', async () => {
    await using session = await openToolSession({})
    const called = session.call('run_command', { command: 'echo first; sleep 1; echo second; sleep 1' })
    await session.editor.waitForUpdate(
      session.sessionId,
      'tool_call_update',
      ({ status, content }) => status === undefined && JSON.stringify(content).includes('first'),
    )
    expect(await called).toContain('second')
  })

  test('children that are left behind are ended, and the model is told', async () => {
    await using session = await openToolSession({})
    const { mark, line } = marked('sleep 300 & echo started')
    const result = await session.call('run_command', { command: line })
    expect(result).toContain('started')
    expect(result).toContain('[Processes that it had started were still running and were ended.')
    expect(await processesWithArgument(mark)).toEqual([])
  })

  test('a command that ignores SIGTERM is ended', async () => {
    await using session = await openToolSession({})
    const { mark, line } = marked(`trap '' TERM; while :; do sleep 1; done`)
    expect(await session.call('run_command', { command: line, timeout: 1 })).toContain('[timed out')
    expect(await processesWithArgument(mark)).toEqual([])
  })

  test('a process that leaves its group is also ended', async () => {
    await using session = await openToolSession({})
    const { mark, line } = marked('setsid sleep 300 >/dev/null 2>&1 & sleep 0.5; echo left')
    expect(await session.call('run_command', { command: line })).toContain('left')
    expect(await survivorsAfter(await processesWithArgument(mark), 5_000)).toEqual([])
  })

  test('a vast output is read to its end, and only its end is kept', async () => {
    await using session = await openToolSession({})
    const result = await session.call('run_command', {
      command: 'yes line | head -c 80000000; echo; echo the end',
    })
    expect(result).toContain('the end\n')
    expect(result.length).toBeLessThan(40_000)
    expect(await session.call('command_output', { id: 'c1', from: 0 })).toMatch(
      /^\[The output before byte [\d,]+ is no longer kept\.\]/,
    )
  })

  test('more commands than fit are not started in the background', async () => {
    await using session = await openToolSession({})
    const call = { name: 'run_command', args: { command: 'sleep 300', background: true } }
    const results = await session.callTogether(Array.from({ length: 11 }, () => call))
    const refused = '10 commands are running in the background. Stop one with stop_command first.'
    expect(results.filter((result) => result.includes(refused))).toHaveLength(1)
  })
})

describe('with terminals', () => {
  test('the terminal is shown before it is waited for, and released', async () => {
    await using session = await openToolSession(terminals)
    await session.call('run_command', { command: 'echo hi' })
    const { editor, services } = session
    expect(services.calls).toEqual([
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/output',
      'terminal/release',
    ])
    expect(services.created[0]).toMatchObject({
      cwd: session.cwd,
      command: '/bin/sh',
      args: ['-c', 'echo hi'],
    })
    const shown = editor
      .received()
      .findIndex(({ params }) => JSON.stringify(params ?? '').includes('"type":"terminal"'))
    const released = editor.received().findIndex(({ method }) => method === 'terminal/release')
    expect(shown).toBeGreaterThan(-1)
    expect(shown).toBeLessThan(released)
    expect(cardsOf(session).at(-1)).toMatchObject({
      status: 'completed',
      content: [{ type: 'terminal', terminalId: 'terminal-1' }],
    })
  })

  test('output that comes while the editor answers an earlier question is not lost', async () => {
    let session: ToolSession | undefined
    const askEditor = (method: string, params: unknown) => session?.services.handlers[method]?.(params, null)
    let isFirst = true
    await using opened = await openToolSession(terminals, {
      handlers: {
        'terminal/output': async (params) => {
          const answer = await askEditor('terminal/output', params)
          if (!isFirst) return answer
          isFirst = false
          // The first answer is as old as its question, and arrives after the end.
          await askEditor('terminal/wait_for_exit', params)
          await sleep(100)
          return answer
        },
      },
    })
    session = opened
    await opened.call('run_command', { command: 'sleep 1; echo the last line', background: true })
    expect(await opened.call('command_output', { id: 'c1', from: 0 })).toContain('the last line')
  })

  test('a terminal created after the cancellation is also released', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const session = await openToolSession(terminals, {
      handlers: {
        'terminal/create': async (params, id) =>
          held.then(() => services.handlers['terminal/create']?.(params, id)),
      },
    })
    await using _session = session
    const { editor, sessionId, services } = session
    const called = session.call('run_command', { command: 'sleep 300' })
    await editor.waitFor(({ method }) => method === 'terminal/create')
    editor.notify('session/cancel', { sessionId })
    await called
    release()
    await until(
      'the terminal to come and go',
      () => services.calls.includes('terminal/release') && services.open.size === 0,
    )
  })

  test.each(['terminal/create', 'terminal/wait_for_exit', 'terminal/output'])(
    'an editor that does not answer %s does not hold up a cancelled turn',
    async (method) => {
      await using session = await openToolSession(terminals, { handlers: { [method]: () => neverAnswer } })
      const called = session.call('run_command', { command: 'true' })
      await session.editor.waitFor((message) => message.method === method)
      session.editor.notify('session/cancel', { sessionId: session.sessionId })
      await expect(called).resolves.toEqual(expect.any(String))
    },
  )

  const unknown = { exitCode: null, signal: null }
  test.each<[string, unknown, unknown, string, string]>([
    ['an end without a code', unknown, undefined, 'completed', '[ended without an exit code]'],
    ['an empty end', {}, null, 'completed', '[ended without an exit code]'],
    ['a code only with the output', unknown, { exitCode: 3 }, 'failed', '[exit code 3]'],
    ['a signal', { signal: 'SIGKILL' }, undefined, 'failed', '[ended by signal SIGKILL]'],
    ['an error', undefined, undefined, 'failed', '[the editor did not say how it ended]'],
    [
      'an error, and a code with the output',
      undefined,
      { exitCode: 0, signal: null },
      'completed',
      '[exit code 0]',
    ],
  ])('a terminal that answers %s', async (_, end, exitStatus, status, state) => {
    await using session = await openToolSession(terminals, {
      handlers: {
        'terminal/wait_for_exit': () => {
          if (end === undefined) throw new Error('no such terminal')
          return end
        },
        'terminal/output': () => ({ output: 'hi', truncated: false, exitStatus }),
      },
    })
    expect(await session.call('run_command', { command: 'true' })).toMatch(
      new RegExp(`hi\\W+${state.slice(1, -1)}`),
    )
    expect(cardsOf(session).at(-1)).toMatchObject({ status })
  })

  test('an editor that refuses a terminal is reported to the model', async () => {
    await using session = await openToolSession(terminals, {
      handlers: {
        'terminal/create': () => {
          throw new Error('no terminal today')
        },
      },
    })
    expect(await session.call('run_command', { command: 'true' })).toMatch(
      /could not be started|no terminal today/,
    )
  })
})
