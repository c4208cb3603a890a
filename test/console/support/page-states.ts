import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStoredState, type CallBody } from '@ostler/agent-api/internal'
import { fixtureServer } from '../../support/agent-files.ts'
import { neverAnswer } from '../../support/acp-harness.ts'
import type { ConsoleProcess } from '../console-process.ts'
import { seen, type ConsolePage } from './browser.ts'
import { openSession, type ConsoleLab } from './console-lab.ts'

/** Brings the page into a state. The result ends what the state needs. */
export type Reach = (open: ConsolePage, lab: ConsoleLab) => Promise<AsyncDisposable | void>

/** The states of the other pages, and the way to each. */
export const pageStates: Readonly<Record<string, Reach>> = {
  calls: async (open) => {
    await open.go('/calls')
    await open.page.locator('button.call-head').first().waitFor()
    await open
      .get('img', /calls, \d+ error/)
      .first()
      .waitFor()
  },
  'a call': async (open) => {
    await open.go('/calls?server=files')
    await open
      .get('button', /Succeeded files/)
      .first()
      .click()
    await open.get('heading', 'Arguments').first().waitFor()
    await open
      .get('button', /Failed files/)
      .first()
      .click()
    await open
      .get('heading', /^Error/)
      .first()
      .waitFor()
  },
  'one call, and one that runs': async (open, { stateDir }) => {
    const history = createStoredState({ stateDir })
    const call = await history.calls
      .recorder({ agent: 'default' })
      .start({ id: 'call_open', server: 'files', tool: 'wait', arguments: {} })
    call.decided('allow', { by: 'mode', how: 'auto' })
    call.running()
    await open.go('/calls?id=call_open')
    await open.get('region', 'One call').getByText('Running', { exact: true }).waitFor()
    return {
      async [Symbol.asyncDispose]() {
        call.ended('success', { isError: false, content: [] })
        history[Symbol.dispose]()
      },
    }
  },
  'no call': async (open) => {
    await open.go('/calls?text=nowhere')
    await open.sees('No call matches these filters')
  },
  'run again': async (open) => {
    await open.go('/calls?tool=get-sum')
    await open
      .get('button', /Succeeded everything/)
      .first()
      .click()
    await open.press('Run again')
    await open.inDialog('button', 'Run now').waitFor()
  },
  'an agent file with an error': async (open, { file, readFile }) => {
    const content = await readFile()
    await writeFile(file, `${content}\nnonsense: [`)
    await open.go('/agent')
    await open
      .get('main')
      .getByText(/ostler\.yaml/)
      .first()
      .waitFor()
    return { [Symbol.asyncDispose]: () => writeFile(file, content) }
  },
  agent: async (open) => {
    await open.go('/agent')
    await open.page.locator('.tool-name', { hasText: 'get-sum' }).first().click()
    await open.get('row', /^What happened/).waitFor()
  },
  'agent after a change': async (open) => {
    await open.go('/agent')
    await open.get('radio', 'Auto').check()
    await open.sees(/will need approval less often/)
    await open.get('row', /^After your changes/).waitFor()
  },
  'agent servers': async (open) => {
    await open.go('/agent?view=servers')
    await open.get('list', 'Servers of the agent').waitFor()
  },
  'agent model': async (open) => {
    await open.go('/agent?view=model')
    await open.get('textbox', 'System prompt').waitFor()
  },
  'agent limits': async (open) => {
    await open.go('/agent?view=limits')
    await open.get('textbox', 'Variables passed to commands').waitFor()
  },
  'review changes': async (open) => {
    await open.go('/agent')
    await open.get('radio', 'Auto').check()
    await open.press('Review changes')
    await open.inDialog('group', 'Difference').waitFor()
  },
  'revoke a grant': async (open) => {
    await open.go('/agent')
    await open.page.locator('tr', { hasText: 'your answer' }).locator('.tool-name').first().click()
    await open
      .get('button', /^Revoke/)
      .first()
      .click()
  },
  sessions: async (open) => {
    await open.go('/sessions')
    await open.get('list', 'Sessions').waitFor()
  },
  'a session': async (open) => {
    await open.go('/sessions')
    await open.get('link', /^What is in the plan/).click()
    await open.get('region', 'Turn 1').waitFor()
    await open.page.evaluate(`for (const closed of document.querySelectorAll('details')) closed.open = true`)
  },
  'a session that is open, with a call that waits': async (open, lab) => {
    const editor = lab.edit({ onPermission: () => neverAnswer })
    // Another server of this name, so it is asked about.
    const web = {
      name: 'web',
      command: process.execPath,
      args: [fixtureServer('whole-server.mjs'), 'stdio'],
      env: [],
    }
    const sessionId = await openSession(editor, lab, [web])
    const ended = editor.prompt(sessionId, 'Sum it up').catch(() => undefined)
    await open.go(`/sessions/${sessionId}`)
    await open.get('link', 'Answer here').waitFor()
    return {
      async [Symbol.asyncDispose]() {
        await editor[Symbol.asyncDispose]()
        await ended
      },
    }
  },
  'sessions that cannot be loaded': async (open) => {
    await open.page.route('**/api/sessions*', (route) =>
      route.fulfill({ status: 500, json: { message: 'The state cannot be read.' } }),
    )
    await open.go('/sessions')
    await open.get('alert').waitFor()
    return { [Symbol.asyncDispose]: () => open.page.unroute('**/api/sessions*') }
  },
  'delete a session': async (open) => {
    await open.go('/sessions')
    await open
      .get('button', /^Delete/)
      .first()
      .click()
  },
  'the keys': async (open) => {
    await open.go('/sessions')
    await open.get('list', 'Sessions').waitFor()
    await open.page.keyboard.press('?')
    await open.get('dialog', 'Keyboard shortcuts').waitFor()
    return { [Symbol.asyncDispose]: () => open.page.keyboard.press('Escape') }
  },
  'no such page': async (open) => {
    await open.go('/servers')
    await open.page.evaluate(
      `history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await open.sees('Page not found')
  },
  'questions of every kind': async (open, { stateDir, console, path }) => {
    const history = createStoredState({ stateDir })
    const { json } = await console.ask('GET', '/api/sessions')
    const { id: sessionId } = json.sessions[0]
    const asked = await Promise.all(
      questionBodies(path).map((body) => history.questions.open({ agent: 'default', sessionId, body })),
    )
    await open.go('/questions')
    await open.get('article', 'Add numbers').getByRole('button', { name: 'Edit arguments' }).click()
    await open.get('button', 'Allow with these arguments').click()
    await open.get('button', 'Send').click()
    await seen(() => open.page.locator('[aria-invalid=true]').count()).toBe(2)
    return {
      async [Symbol.asyncDispose]() {
        for (const question of asked) await question?.close()
        history[Symbol.dispose]()
      },
    }
  },
}

const choices: CallBody['choices'] = [
  { id: 'allow-once', name: 'Allow once', kind: 'allow_once' },
  { id: 'allow-always', name: 'Always allow this tool', kind: 'allow_always' },
  { id: 'reject-once', name: 'Reject', kind: 'reject_once' },
]

/** A call of a server that has changed, a command, a change of a file, a form and a page. */
function questionBodies(path: string) {
  const call = { kind: 'call', choices, isEditable: true, args: {}, content: [] } as const
  const long = join(path, 'a-folder-with-a-long-name'.repeat(5), 'notes.txt')
  const number = { type: 'number' }
  return [
    {
      ...call,
      callId: 'call_1',
      title: 'Add numbers',
      ref: { server: 'everything', tool: 'get-sum' },
      serverOrigin: `mcp-server-everything stdio --root ${long}`,
      changes: ['its description'],
      difference: '--- before\n+++ now\n@@ -1 +1 @@\n-Adds\n+Adds, and sends the result elsewhere\n',
      claims: { destructiveHint: true },
      inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a'] },
    },
    {
      ...call,
      callId: 'call_2',
      title: 'Run a command',
      ref: { server: null, tool: 'run_command' },
      args: { command: 'x' },
      plan: { effect: 'command', command: { line: `rm -r ${long} && echo ${'x'.repeat(300)}`, cwd: long } },
    },
    {
      ...call,
      callId: 'call_3',
      title: `Write ${long}`,
      ref: { server: null, tool: 'write_file' },
      args: { path: long, content: 'x' },
      content: [{ type: 'diff', path: long, oldText: 'one\n', newText: `${'two '.repeat(100)}\n` }],
      plan: { effect: 'change', outside: [long], sensitive: [long] },
    },
    {
      kind: 'form',
      server: 'rich',
      message: 'Who are you?',
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Your name' },
          colour: { type: 'string', enum: ['red', 'green'] },
          sure: { type: 'boolean' },
        },
        required: ['name'],
      },
    },
    {
      kind: 'page',
      server: 'rich',
      message: 'Log in there',
      url: `https://example.com/${'long/'.repeat(60)}`,
    },
  ] as unknown as readonly CallBody[]
}

/** A console without servers, calls and sessions, from its login until it ends. */
export const emptyStates = (console: ConsoleProcess): Readonly<Record<string, Reach>> => ({
  'an address that was used': async ({ page, sees }) => {
    await page.goto(`${console.origin}/enter?token=used`)
    await sees('ostler console')
  },
  'no servers': async ({ page, sees }) => {
    await page.goto(console.url)
    await sees('No servers yet')
  },
  ...Object.fromEntries(
    Object.entries({
      '/questions': 'No agent is waiting for you',
      '/tools': 'No servers yet',
      '/calls': 'No calls yet',
      '/agent': 'No agent has made a call',
      '/agent?view=servers': 'No servers to choose from',
      '/sessions': 'No sessions yet',
      '/servers/nobody': 'There is no server “nobody”',
      '/sessions/nobody': 'session',
      '/nowhere': 'Page not found',
    }).map(([path, text]): [string, Reach] => [
      path,
      async ({ go, sees }) => {
        await go(path)
        await sees(text)
      },
    ]),
  ),
  'nobody there': async ({ go, sees, get }) => {
    await go('/servers')
    console.child.kill('SIGTERM')
    await console.exit
    await sees(/Connection to the console lost/)
    await get('link', 'Calls').click()
    await get('alert').waitFor()
  },
})
