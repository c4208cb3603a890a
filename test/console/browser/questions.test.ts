import { readdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { neverAnswer, selectPermission } from '../../support/acp-harness.ts'
import { richServer } from '../../support/acp-scripted.ts'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab } from '../support/console-lab.ts'

const schema = { type: 'object', properties: { word: { type: 'string', maxLength: 10 } }, required: ['word'] }

const allow = selectPermission('allow_once')

/** Calls the tool of the MCP server, or writes a file, as the prompt says. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)?.parts.findLast(({ type }) => type === 'tool_result')
  if (last?.type === 'tool_result') return { text: `It said: ${last.text}` }
  const text = JSON.stringify(messages.at(-1))
  if (text.includes('ponder')) return { toolCalls: [{ name: 'rich__think', args: {} }] }
  if (text.includes('think')) return { text: 'a thought' }
  if (text.includes('form')) return { toolCalls: [{ name: 'rich__ask', args: { mode: 'form' } }] }
  const call = text.includes('write')
    ? { name: 'write_file', args: { path: `${/write (\w+)/.exec(text)?.[1]}.txt`, content: 'one\ntwo\n' } }
    : { name: 'work__alpha', args: { word: 'first' } }
  return { toolCalls: [call] }
}

/** Shows or hides the tab, as far as its page can tell. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, !isShown)
}

test('the questions of two agents are in one place, with what each would do, and are answered there or in the editor', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: always-ask }\n', script })
  await lab.offer('work', [{ name: 'alpha', inputSchema: schema }])
  await using one = await lab.startEditor({ onPermission: () => neverAnswer })
  const inEditor = Promise.withResolvers<unknown>()
  await using two = await lab.startEditor({ onPermission: () => inEditor.promise })
  const start = async (editor: typeof one, text: string, mcpServers: readonly unknown[]) => {
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
    return { sessionId, ended: editor.prompt(sessionId, text) }
  }
  await lab.page.addInitScript(() => {
    const notified: unknown[] = []
    class Recorded {
      static permission = 'default'
      static async requestPermission() {
        return (Recorded.permission = 'granted')
      }
      constructor(title: string, { body }: NotificationOptions) {
        notified.push([title, body])
      }
    }
    Object.assign(globalThis, { Notification: Recorded, notified })
  })
  await lab.page.clock.install()
  await lab.page.route('**/api/questions', (route) =>
    route.fulfill({ status: 500, json: { message: 'The state cannot be read.' } }),
  )
  await lab.go('/questions')
  await lab.get('alert').getByText('The state cannot be read.').waitFor()
  await lab.page.unroute('**/api/questions')
  // A question that is asked before the stream of events begins is not missed.
  const stream = Promise.withResolvers<void>()
  await lab.page.route('**/api/events', (route) => stream.promise.then(() => route.continue()))
  await lab.page.reload()
  await lab.sees('No agent is waiting for you')
  const first = await start(one, 'Call it', [{ name: 'work', ...lab.command('work'), env: [] }])
  await seen(async () => (await lab.console.ask('GET', '/api/questions')).json.questions.length).toBe(1)
  expect(await lab.get('article', /alpha/).count()).toBe(0)
  stream.resolve()
  const alpha = lab.get('article', /alpha/)
  await alpha.waitFor()
  await lab.get('status').getByText('Waiting for you: work: alpha').waitFor()
  await lab.get('switch', 'Notify me').click()
  await seen(() => lab.get('switch', 'Notify me').isChecked()).toBe(true)
  // A hidden page has no stream of events, but its title still shows the number.
  await show(lab.page, false)
  const second = await start(two, 'Please write notes', [])
  await seen(async () => {
    await lab.page.clock.fastForward(10_000)
    return lab.page.title()
  }).toBe('(2) Questions · Ostler')
  await seen(() => lab.page.evaluate('notified')).toEqual([
    ['Ostler is waiting for you', 'Write notes.txt (2 lines)'],
  ])
  await show(lab.page, true)
  const write = lab.get('article', /notes\.txt/)
  await write.getByText('+ two').waitFor()
  await seen(() => lab.page.title()).toBe('(2) Questions · Ostler')
  await alpha.getByRole('link', { name: 'Call it' }).waitFor()
  await alpha.getByText('Command of the server work').waitFor()
  expect(await alpha.getByRole('button').allTextContents()).toEqual([
    ...(one.permissionRequests()[0]?.options ?? []).map(({ name }) => name),
    'Edit arguments',
  ])

  await alpha.getByRole('button', { name: 'Edit arguments' }).click()
  await alpha.getByRole('textbox', { name: /^word/ }).fill('far too long a word')
  await alpha.getByRole('button', { name: 'Allow with these arguments' }).click()
  await alpha.locator('[aria-invalid=true]').waitFor()
  await alpha.getByRole('textbox', { name: /^word/ }).fill('second')
  await alpha.getByRole('button', { name: 'Allow with these arguments' }).click()
  await lab
    .get('status')
    .getByText(/: Allowed once, with your arguments\.$/)
    .waitFor()
  expect(await first.ended).toEqual({ stopReason: 'end_turn' })
  await gone(alpha)
  await write.locator('h2:focus').waitFor()

  // Also on every other page.
  await lab.get('link', 'Calls').click()
  await lab
    .get('link', /^Questions/)
    .getByText('1')
    .waitFor()
  await lab.get('button', /Succeeded work \/ alpha/).click()
  await lab.get('region', 'Arguments').getByText('"second"').waitFor()
  await lab.sees(/You allowed it once, in the console/)
  await lab.get('link', /^Questions/).click()
  inEditor.resolve({ outcome: { outcome: 'selected', optionId: 'reject-once' } })
  await gone(write)
  await lab
    .get('status')
    .getByText(/: You rejected it, in the editor\.$/)
    .waitFor()
  await second.ended
  await seen(() => lab.page.title()).toBe('Questions · Ostler')

  // An agent that is killed while it asks takes its question with it. Nothing was run.
  const { sessionId: last } = await one.newSession({
    cwd: lab.path,
    mcpServers: [{ name: 'work', ...lab.command('work'), env: [] }],
  })
  void one.prompt(last, 'Call it').catch(() => undefined)
  await alpha.waitFor()
  one.child.kill('SIGKILL')
  await alpha.getByText('The question was withdrawn.').waitFor()
  await gone(alpha)
  await lab.go('/calls')
  const killed = lab.get('button', /Interrupted work \/ alpha/)
  await killed.getByText('Ostler ended before this call started. Nothing was run.').waitFor()
  expect(await killed.textContent()).not.toMatch(/\d (ms|s|min)/)
  await lab.go('/questions')

  // A form of a server, from a third agent.
  await using three = lab.edit({
    handlers: { 'elicitation/create': () => neverAnswer },
    onPermission: (request) =>
      String(request.toolCall.title).includes('wants to use your model') ? neverAnswer : allow(request),
  })
  await three.initialize({ clientCapabilities: { elicitation: { form: {} } } })
  const { sessionId } = await three.newSession({ cwd: lab.path, mcpServers: [richServer()] })
  const ended = three.prompt(sessionId, 'A form, please')
  // It also asks before the call.
  const form = lab.get('article', 'The server rich asks')
  await form.getByText('Your name?').waitFor()
  await form.getByRole('textbox', { name: 'name' }).fill('Ada')
  await form.getByRole('button', { name: 'Send' }).click()
  await lab.get('status').getByText('The server rich asks: Sent to rich.').waitFor()
  await gone(form)
  await lab.page.locator('h1:focus').waitFor()
  await ended
  expect(three.text(sessionId)).toContain('It said: {"action":"accept","content":{"name":"Ada"}}')

  // It asks for the model, with the whole request in view.
  const pondered = three.prompt(sessionId, 'ponder')
  const sampling = lab.get('article', 'rich: wants to use your model')
  await sampling.getByRole('list', { name: 'Messages' }).getByText('think', { exact: true }).waitFor()
  await sampling.getByRole('button', { name: 'Always allow it' }).waitFor()
  await sampling.getByRole('button', { name: 'Reject once' }).click()
  await pondered
  await gone(sampling)

  // The session says that the server asked, and where it was answered.
  await lab.go(`/sessions/${sessionId}`)
  const turn = lab.get('region', 'Turn 1')
  await turn.getByText('The server rich asked you something. You answered, in the console.').waitFor()
  await turn.getByRole('link', { name: 'Show in Calls' }).last().click()
  const asked = lab.get('region', 'One call')
  await asked.getByText('"Your name?"').waitFor()
  expect(await asked.textContent()).not.toContain('Ada')
  expect(await asked.getByRole('button', { name: 'Run again' }).count()).toBe(0)
})

test('a question says what became of it in another tab, however late, and forgets that the page had no access', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: always-ask }\n', script })
  await using editor = lab.edit({ onPermission: () => neverAnswer })
  await editor.initialize()
  const ask = async (name: string) => {
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
    void editor.prompt(sessionId, `Please write ${name}`).catch(() => undefined)
  }
  const { page } = lab
  await page.clock.install()
  await ask('first')
  await lab.go('/questions')
  const first = lab.get('article', /first/)
  await page.route('**/answer', (route) => route.fulfill({ status: 401, json: {} }))
  await first.getByRole('button', { name: 'Allow once' }).click()
  const refusal = first.getByText('This page has no access')
  await refusal.waitFor()
  await ask('second')
  await lab.get('article', /second/).waitFor()
  await refusal.waitFor({ state: 'detached' })

  const reply = Promise.withResolvers<void>()
  await page.route('**/api/calls/*', (route) => reply.promise.then(() => route.continue()))
  const { questions } = (await lab.console.ask('GET', '/api/questions')).json
  const { id } = questions.find(({ body }: { body: { title: string } }) => body.title.includes('first'))
  expect(
    (await lab.console.ask('POST', `/api/questions/${id}/answer`, { choice: 'allow-once' })).status,
  ).toBe(200)
  await first.getByText('No longer open.').waitFor()
  await page.clock.fastForward(10_000)
  reply.resolve()
  await first.getByText('You allowed it once, in the console.').waitFor()
})

test('no press answers a question that has only just taken the place of another', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: always-ask }\n', script })
  await using editor = lab.edit({ onPermission: () => neverAnswer })
  await editor.initialize()
  const names = ['first', 'second', 'third', 'fourth', 'fifth']
  const turns: Promise<unknown>[] = []
  for (const name of names) {
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
    turns.push(editor.prompt(sessionId, `Please write ${name}`))
    await seen(() => editor.permissionRequests().length).toBe(turns.length)
  }
  const files = async () =>
    (await readdir(lab.path)).filter((file) => names.includes(file.replace('.txt', ''))).toSorted()
  const open = async () => (await lab.console.ask('GET', '/api/questions')).json.questions.length
  const { page } = lab
  const answered: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) answered.push(request.url())
  })
  await page.clock.install()
  await lab.go('/questions')
  const [first, second, third] = names.map((name) => lab.get('article', new RegExp(name)))
  const allow = (card = first) => card!.getByRole('button', { name: 'Allow once' })
  // Waits until the button accepts a press.
  await allow().click({ trial: true })
  await page.evaluate(() => scrollTo(0, 0))
  const { x, y } = await centerOf(allow())

  // From here on, time passes only in steps, so that a slow machine is never late.
  await page.clock.pauseAt(Date.now() + 60_000)
  await settled(first!)

  // The answered question stays where it was, with what was done. The second click meets nothing.
  await page.mouse.dblclick(x, y, { delay: 90 })
  const said = lab.get('status').getByText(/first\.txt.*: Allowed once\.$/)
  const shown = { onCard: 0, inStatus: 0 }
  await seen(async () => {
    await page.clock.runFor(20)
    shown.onCard ||= await first!.getByText('Allowed once.').count()
    shown.inStatus ||= await said.count()
    return shown
  }).toEqual({ onCard: 1, inStatus: 1 })
  expect(await lab.get('article').count()).toBe(5)
  expect(await open()).toBe(4)

  // Then the next one moves under the pointer, and is not answered at once.
  await seen(async () => {
    await page.clock.runFor(100)
    return first!.count()
  }).toBe(0)
  await second!.getByRole('group', { name: 'Answers', disabled: true }).waitFor()
  expect(await centerOf(allow(second))).toEqual({ x, y })
  await page.mouse.click(x, y)
  await lab.get('status').getByText('Not answered: this had only just appeared here. Press again.').waitFor()
  await second!.locator('h2').focus()
  await page.keyboard.press('a')
  await page.mouse.down()
  await page.clock.runFor(500)
  await second!.getByRole('group', { name: 'Answers', disabled: false }).waitFor()
  // The button was pressed early, and released in time.
  await page.mouse.up()
  expect(await open()).toBe(4)
  await turns[0]
  expect(await files()).toEqual(['first.txt'])

  // The last one disappears, and the browser scrolls the page that has become shorter.
  const fifth = lab.get('article', /fifth/)
  await page.setViewportSize({ width: 1280, height: 420 })
  await fifth.getByRole('button', { name: 'Reject once' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await settled(fifth)
  const end = await centerOf(fifth.getByRole('button', { name: 'Reject once' }))
  await page.mouse.click(end.x, end.y)
  await seen(async () => {
    await page.clock.runFor(100)
    return fifth.count()
  }).toBe(0)
  await lab
    .get('article', /fourth/)
    .getByRole('group', { name: 'Answers', disabled: true })
    .waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await settled(second!)

  // With the keyboard, only the question with the focus is answered, and only where it can be seen.
  await lab.page.locator('h1').focus()
  await page.keyboard.press('a')
  expect(await open()).toBe(3)
  await second!.locator('h2').focus()
  // `g a` leads to the page of the agent.
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await lab.page.getByRole('heading', { level: 1, name: 'Agent' }).waitFor()
  await page.goBack()
  await settled(second!)
  await second!.locator('h2').focus()
  // The first press counts, also while its answer is on the way.
  await page.keyboard.press('r')
  await page.keyboard.press('a')
  await seen(async () => {
    await page.clock.runFor(50)
    return second!.getByText('Rejected.').count()
  }).toBe(1)
  await page.keyboard.press('s')
  expect(await open()).toBe(2)
  expect(answered).toHaveLength(3)
  await second!.locator('h2:focus').waitFor()
  await seen(async () => {
    await page.clock.runFor(100)
    return third!.locator('h2:focus').count()
  }).toBe(1)
  await page.keyboard.press('a')
  expect(await open()).toBe(2)
  await settled(third!)
  await page.keyboard.press('a')
  await seen(files).toEqual(['first.txt', 'third.txt'])
  await Promise.all(turns.slice(0, 3))

  // Arguments that were not changed are not sent as changed.
  const fourth = lab.get('article', /fourth/)
  await fourth.getByRole('button', { name: 'Edit arguments' }).click()
  await settled(fourth)
  await fourth.getByRole('button', { name: 'Show what this would do' }).click()
  await fourth.getByRole('button', { name: 'Edit arguments' }).waitFor()
  // A card that has just moved ignores a press, and the clock of the page stands, so it is pressed until the turn ends.
  let isOver = false
  void turns[3]!.then(() => (isOver = true))
  await seen(async () => {
    await page.clock.runFor(600)
    const button = fourth.getByRole('button', { name: 'Allow once' })
    await button.click({ timeout: 300 }).catch(() => undefined)
    return isOver
  }).toBe(true)
  await turns[3]
  expect(editor.permissionRequests()).toHaveLength(5)
  expect(JSON.stringify(lab.model.requests)).not.toContain('changed the arguments')

  // The same is true of a dialog.
  await page.clock.resume()
  await lab.console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'notes',
    entry: { type: 'stdio', command: 'true' },
  })
  await lab.go('/servers')
  await lab.get('article', 'notes').waitFor()
  await page.clock.pauseAt(Date.now() + 600_000)
  await lab.press('Remove')
  const remove = lab.inDialog('button', 'Remove')
  const place = await centerOf(remove)
  await page.mouse.click(place.x, place.y)
  await lab.get('status').getByText('Not answered').waitFor()
  await page.clock.runFor(500)
  await remove.click()
  await page.clock.resume()
  await lab.sees('No servers yet')

  // Very many are shown in parts.
  await page.route('**/api/questions', async (route) => {
    const body = { kind: 'form', server: 'rich', message: 'Your name?', schema: {} }
    const questions = Array.from({ length: 60 }, (_, id) => ({
      id: `${id}`,
      sessionId: 's',
      sessionTitle: null,
      cwd: null,
      askedAt: new Date().toISOString(),
      body,
    }))
    await route.fulfill({ json: { questions } })
  })
  await page.addInitScript(() => {
    const measured = Object.assign(globalThis, { measures: 0 })
    const measure = Element.prototype.getBoundingClientRect
    Element.prototype.getBoundingClientRect = function (this: Element) {
      measured.measures++
      return measure.call(this)
    }
  })
  await lab.go('/questions')
  await page.reload()
  await lab.press('Show 10 more of 60')
  await seen(() => lab.get('article').count()).toBe(60)
  // They are measured together, and not all of them again for each.
  expect(await page.evaluate('measures')).toBeLessThan(10 * 60)
})

/** Lets the time pass in which a closed question is shown. */
async function gone(card: Locator): Promise<void> {
  await seen(async () => {
    await card.page().clock.fastForward(500)
    return card.count()
  }).toBe(0)
}

/** Lets the time pass in which the buttons of a question ignore presses. */
async function settled(card: Locator): Promise<void> {
  const answers = card.getByRole('group', { name: 'Answers' })
  await answers.waitFor()
  // Three times in a row: the browser may scroll a page that has just been opened a little later.
  let enabled = 0
  await seen(async () => {
    await card.page().clock.runFor(500)
    enabled = (await answers.getAttribute('aria-disabled')) === null ? enabled + 1 : 0
    return enabled
  }).toBe(3)
}

async function centerOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {}
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
}
