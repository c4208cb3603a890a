import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { selectPermission } from '../../support/acp-harness.ts'
import { changingServer } from '../../support/agent-lab.ts'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { textOf } from '../../support/loopback-model/script.ts'
import { openEvents } from '../console-process.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab, openSession } from '../support/console-lab.ts'
import { card } from '../support/server-dialogs.ts'

const markdown = `## Over

- **done** and \`told\`
- [here](javascript:alert(1)) and ![x](http://evil.example/x.png) <img src=x onerror="globalThis.__xss=1">

| a | b |
| - | -: |
| 1 | 2 |
`

/** Begins to talk, calls the tools when it may go on, and then answers. */
const script =
  (goOn: Promise<unknown>) =>
  (request: ModelRequest): Reply => {
    const last = request.messages.at(-1)?.parts.findLast(({ type }) => type === 'tool_result')
    if (last !== undefined) return { text: markdown }
    const words = Array.from({ length: 40 }, (_, index) => `word${index} `)
    return {
      text: words,
      toolCalls: [
        { name: 'gated__wait', args: { word: 'patience' } },
        { name: 'gated__fail', args: {} },
      ],
      pause: { after: 10, until: goOn },
    }
  }

test('a session is followed while its text streams, its call waits and runs, and its agent is killed', async () => {
  const goOn = Promise.withResolvers<void>()
  await using lab = await openConsoleLab({
    file: 'approval: { mode: always-ask }\n',
    script: script(goOn.promise),
  })
  const answer = Promise.withResolvers<void>()
  await using editor = await lab.startEditor({
    onPermission: (request) => answer.promise.then(() => selectPermission('allow_once')(request)),
  })
  // Another agent works at the same time, and its session must not appear on this page.
  await using other = lab.edit()
  const gated = {
    name: 'gated',
    command: process.execPath,
    args: [fixtureServer('gated-server.mjs'), join(lab.path, 'gate')],
    env: [],
  }
  const sessionId = await openSession(editor, lab, [gated])
  await openSession(other, lab)
  const prompt = editor.prompt(sessionId, 'Wait for it').catch(() => undefined)
  await lab.go('/sessions')
  await lab.get('link', 'Wait for it').click()

  const turn = lab.get('region', 'Turn 1')
  const text = turn.getByRole('group', { name: 'Answer' })
  await text.getByText('word3 ').waitFor()
  expect(await text.textContent()).not.toContain('word39')
  await turn.getByText('the model is working').waitFor()
  goOn.resolve()
  await text.getByText('word39').waitFor()
  await turn.getByText('waiting for your answer').first().waitFor()
  expect(await turn.textContent()).not.toContain('Nothing was run')
  await lab.page.reload()
  await turn.getByText('waiting for your answer').first().waitFor()
  await lab.sees(/Open now/)
  await lab.sees(/Started \d/)

  // The call on its own, in another tab. The question about the other call may come first.
  const tab = await lab.context.newPage()
  await tab.goto(
    `${lab.console.origin}/calls?id=${(await lab.console.ask('GET', '/api/calls?tool=wait')).json.calls[0].id}`,
  )
  const one = tab.getByRole('region', { name: 'One call' })
  await one.getByText(/^(Waiting for your answer, in|Not decided yet)/).waitFor()

  // The timeline is open, and follows its calls. A short wait is not worth a word.
  const timeline = turn.getByRole('list', { name: 'Timeline of calls' })
  await seen(() => timeline.getByRole('img', { name: / waited / }).count()).toBe(2)
  answer.resolve()
  // The first one waited and runs, the second one waited and failed.
  await timeline.getByRole('img', { name: /^Failed, / }).waitFor()
  await timeline.getByRole('img', { name: /^Running, .*waited .*ran / }).waitFor()
  expect(await turn.getByRole('list', { name: 'Legend' }).getByRole('listitem').allTextContents()).toEqual([
    'waiting (for you, a free slot, or its server)',
    'running',
    'failed or interrupted',
  ])
  const ran = () => timeline.getByRole('img', { name: /^Running, / }).getAttribute('aria-label')
  const before = await ran()
  await seen(async () => (await ran()) !== before).toBe(true)
  // The keyboard reaches each call.
  await timeline.focus()
  await lab.page.keyboard.press('Tab')
  await lab.page.keyboard.press('Enter')
  await lab
    .get('region', 'One call')
    .getByText(/gated \/ (wait|fail)/)
    .first()
    .waitFor()
  await lab.page.goBack()
  await lab.get('link', '2 calls').click()
  const row = lab.get('button', /Running gated \/ wait/)
  await row.waitFor()
  editor.child.kill('SIGKILL')
  await lab.get('button', /Interrupted gated \/ wait/).waitFor()
  await one.getByRole('button', { name: /Interrupted gated \/ wait/ }).waitFor()
  expect(await one.textContent()).not.toMatch(/Waiting for your answer|Not decided yet/)
  await tab.close()
  await lab.page.goBack()
  await turn
    .getByRole('group')
    .filter({ hasText: 'gated__wait' })
    .getByText('Interrupted', { exact: true })
    .first()
    .waitFor()
  await turn.getByRole('group').filter({ hasText: 'gated__wait' }).locator('summary').first().click()
  await turn.getByText(/It may have run/).waitFor()
  await turn.getByText('Ostler ended before this turn did.').waitFor()
  // It ended, so its time does not go on.
  await lab.page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 3_600_000
  })
  await turn.getByRole('link', { name: 'Show in Calls' }).first().click()
  await lab
    .get('region', 'One call')
    .getByRole('button', { name: /Interrupted/ })
    .waitFor()
  expect(await lab.get('region', 'One call').textContent()).not.toMatch(/\d (h|min)/)
  await lab.page.goBack()
  expect(await lab.page.getByText('Open now').count()).toBe(0)
  await prompt

  const { sessionId: next } = await other.newSession({ cwd: lab.path, mcpServers: [] })
  await other.prompt(next, 'Say it')
  await lab.go(`/sessions/${next}`)
  const said = lab.get('region', 'Turn 1').getByRole('group', { name: 'Answer' })
  expect(
    await said
      .last()
      .getByRole('cell', { name: '2' })
      .evaluate((cell) => getComputedStyle(cell).textAlign),
  ).toBe('right')
  expect(await said.last().getByRole('listitem').count()).toBe(2)
  expect(await said.last().locator('strong').textContent()).toBe('done')
  // Addresses are text, and a model's output is never HTML.
  expect(await said.last().locator('a, img').count()).toBe(0)
  expect(await said.last().textContent()).toContain('here (javascript:alert(1))')
})

test('a known server sleeps until its first call, whose card says that it starts', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: ({ messages }) =>
      textOf(messages.at(-1)) === 'work' ? { toolCalls: [{ name: 'work__do', args: {} }] } : { text: 'ok' },
  })
  const tools = join(lab.path, 'work.json')
  await writeFile(tools, '[{ "name": "do" }]')
  const work = { name: 'work', command: process.execPath, args: [changingServer, tools], env: [] }
  await using editor = lab.edit()
  const first = await openSession(editor, lab, [work])
  await editor.prompt(first, 'hello')
  await editor.request('session/close', { sessionId: first })
  await writeFile(`${tools}.hang`, '')
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [work] })

  await lab.go('/servers')
  const row = lab.get('list', 'Servers in use now').getByRole('listitem')
  await row.getByText('Asleep until called').waitFor()
  await row.getByText('1 tool, 0 prompts').waitFor()

  const ended = editor.prompt(sessionId, 'work')
  await row.getByText('Connecting').waitFor()
  await lab.go(`/sessions/${sessionId}`)
  await lab.get('region', 'Turn 1').getByText('starting work').waitFor({ state: 'attached' })
  await rm(`${tools}.hang`)
  await ended
  await lab.get('region', 'Turn 1').getByText('do is done').first().waitFor({ state: 'attached' })
  await seen(() => lab.get('region', 'Turn 1').getByText('starting work').count()).toBe(0)
})

test('a page shows what happened while its connection was lost', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: ({ messages }) =>
      messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true
        ? { text: 'Done.' }
        : { toolCalls: [{ name: 'work__alpha', args: {} }] },
  })
  await lab.offer('work', ['alpha'])
  // Its stream breaks after it began, and only opens again when asked to.
  const lose = async (path: string) => {
    const back = Promise.withResolvers<void>()
    await lab.page.unrouteAll()
    await lab.page.route('**/api/events', (route) => back.promise.then(() => route.continue()))
    await lab.page.route(
      '**/api/events',
      (route) => route.fulfill({ body: '{"event":"open","data":{}}\n' }),
      { times: 1 },
    )
    await lab.page.goto(`${lab.console.origin}${path}`)
    await lab.sees(/^Connection to the console lost/)
    return back
  }

  const servers = await lose('/servers')
  await lab.sees('No servers yet')
  const entry = { type: 'stdio', ...lab.command('work') }
  await using events = await openEvents(lab.console)
  await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry })
  await events.next('servers')
  servers.resolve()
  await card(lab, 'work').waitFor()

  const calls = await lose('/calls')
  await lab.get('button', /add-server/).waitFor()
  await using editor = lab.edit()
  await editor.prompt(await openSession(editor, lab), 'go')
  calls.resolve()
  await seen(() => lab.get('button', /work \/ alpha/).count()).toBe(1)
})
