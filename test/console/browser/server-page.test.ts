import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { baseEnv, ostlerScript } from '../../support/acp-harness.ts'
import { fixtureServer } from '../../support/agent-files.ts'
import { openConsolePage, seen, type ConsolePage } from '../support/browser.ts'
import { openConsoleLab, openSession, type ConsoleLab } from '../support/console-lab.ts'

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

/** All tests share a console, so that its servers are connected once. */
let lab: ConsoleLab
let open: ConsolePage
beforeAll(async () => {
  if (inject('chromium') === undefined) return
  lab = await openConsoleLab({ file: 'approval: { mode: auto }\n', script: () => ({ text: 'done' }) })
  const servers = {
    everything: [everything, 'stdio'],
    rich: [fixtureServer('rich-server.mjs'), join(lab.path, 'rich.log')],
    tasks: [fixtureServer('task-server.mjs'), join(lab.path, 'tasks')],
  }
  for (const [name, args] of Object.entries(servers)) {
    const entry = { type: 'stdio', command: process.execPath, args, enabled: name === 'rich' }
    const { json } = await lab.console.ask('POST', '/api/servers', { confirmed: true, name, entry })
    await lab.console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  }
  open = await openConsolePage(lab.console)
})
afterAll(async () => {
  await open?.[Symbol.asyncDispose]()
  await lab?.[Symbol.asyncDispose]()
})

async function startTool(server: string, tool: string, fill?: () => Promise<unknown>): Promise<void> {
  await open.go(`/servers/${server}?tool=${tool}`)
  await open.get('heading', 'Try it').waitFor()
  await fill?.()
  await open.press('Run tool')
}
const result = () => open.get('region', 'Result')
const lastCall = async (tool: string) =>
  (await lab.console.ask('GET', `/api/calls?tool=${tool}`)).json.calls[0]

test('says how agents use the server first, and then how this console does', async () => {
  await using editor = lab.edit()
  await openSession(editor, lab)
  await open.go('/servers')
  await open.get('link', 'rich').click()
  const state = open.get('region', 'State')
  await state.getByText('In use by 1 agent').waitFor()
  await state.getByText('Connected', { exact: true }).waitFor()
  expect(await state.getByLabel('Command line').textContent()).toContain('rich-server.mjs')
  await editor[Symbol.asyncDispose]()
  await state.getByText('No running agent uses it').waitFor()
  await open.get('link', 'About').click()
  await open.get('list', 'Capabilities').getByText('resources.subscribe').waitFor()
  await open.sees(/^MCP 20/)
  // Nothing here is about when this console connected.
  const about = open.get('region', 'About')
  expect(await about.locator('dt').allTextContents()).toEqual([
    'Server',
    'Protocol',
    'Transport',
    'Start',
    'Handshake',
    'Discovery',
  ])
  expect(await about.locator('time').count()).toBe(0)
  await open.get('link', 'Settings').click()
  await open.press('Edit')
  await open.inDialog('textbox', /^Name/).waitFor()
})

test('old addresses lead here, and an unknown server is reported as unknown', async () => {
  await open.go('/tools?server=rich&view=log')
  await open.page.waitForURL('**/servers/rich/log')
  await open.get('heading', 'rich').waitFor()
  expect(await open.get('link', 'Log').getAttribute('aria-current')).toBe('page')
  await open.go('/servers/nobody')
  await open.sees('There is no server “nobody”')
})

test('the tools of all servers can be searched', async () => {
  await open.go('/tools')
  await open.get('region', 'Tools of rich').waitFor()
  await open.get('searchbox', 'Search tools').fill('get-sum')
  await seen(() => open.get('main').getByRole('listitem').count()).toBe(1)
  await open.get('link', /^get-sum/).click()
  await open.page.waitForURL('**/servers/everything?tool=get-sum')
})

describe('while a tool is tried', () => {
  test('the server’s form is filled in and checked', async () => {
    await startTool('everything', 'trigger-elicitation-request')
    const question = open.get('article', 'Asks you')
    await question.waitFor()
    await question.getByRole('button', { name: 'Send answer' }).click()
    await question.getByText('Required.').first().waitFor()
    await question.getByRole('textbox', { name: /^String\b.*required/ }).fill('Ada')
    const mail = question.getByRole('textbox', { name: 'String with email format' })
    await mail.fill('nobody')
    await question.getByRole('button', { name: 'Send answer' }).click()
    await question.getByText('Enter an e-mail address.').waitFor()
    await mail.fill('ada@example.com')
    for (const name of ['Piano', 'Violin', 'Drums']) await question.getByRole('checkbox', { name }).check()
    await question.getByRole('button', { name: 'Send answer' }).click()
    await question.getByText('At most 3 items.').waitFor()
    await question.getByRole('checkbox', { name: 'Guitar' }).uncheck()
    await question.getByRole('button', { name: 'Send answer' }).click()
    await result().getByText(/Ada/).first().waitFor()
    await seen(() => question.count()).toBe(0)
    expect(await lastCall('console:answer-server')).toMatchObject({ status: 'success' })
  })

  test('a question can be declined, and a page that is left does not answer', async () => {
    await startTool('rich', 'ask', async () => {
      await open.get('radio', 'JSON').check()
      await open.get('textbox', 'Arguments (JSON)').fill('{"mode":"form"}')
    })
    await open.get('article', 'Asks you').getByRole('button', { name: 'Decline' }).click()
    await result().getByText('"decline"').waitFor()
    await open.press('Run tool')
    await open.get('article', 'Asks you').waitFor()
    await open.go('/calls')
    await seen(() => readFile(join(lab.path, 'rich.log'), 'utf8')).toContain('"action":"cancel"')
    // The server may have ended the call before it was told that nobody waits for it.
    await seen(async () => (await lastCall('ask')).status).toMatch(/^(cancelled|success)$/)
  })

  test('a page is opened only by the person, and only over https', async () => {
    await startTool('rich', 'ask', async () => {
      await open.get('radio', 'JSON').check()
      await open.get('textbox', 'Arguments (JSON)').fill('{"mode":"url"}')
    })
    const question = open.get('article', 'Asks you')
    const link = question.getByRole('link', { name: 'https://example.com/open' })
    const seenMs = performance.now()
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    const askedMs = performance.now() - seenMs
    await question.getByRole('button', { name: 'I have opened it' }).click()
    await result().getByText('"accept"').waitFor()
    // The time that the person took is not that of the tool, here and in the history.
    await open.get('region', 'Try it').getByText(/^ran /).waitFor()
    expect((await lastCall('ask')).waitedMs).toBeGreaterThan(askedMs)
  })

  test('the person answers in place of the model, or refuses', async () => {
    await startTool('rich', 'think')
    const question = open.get('article', 'Asks to use your model')
    await question.getByText('think').waitFor()
    await question.getByRole('textbox', { name: /^Answer/ }).fill('I think so')
    await question.getByRole('button', { name: 'Send answer' }).click()
    await result()
      .getByText(/I think so/)
      .first()
      .waitFor()
    await open.press('Run tool')
    await question.getByRole('button', { name: 'Reject' }).click()
    await result()
      .getByText(/rejected/)
      .first()
      .waitFor()
    await seen(() => question.count()).toBe(0)
  })

  test('a task shows its state, and asks while it runs', async () => {
    await open.go('/servers/tasks?tool=build')
    await open.get('list', 'Annotations').getByText('Runs as a task').waitFor()
    await open.get('textbox', 'how').fill('forever')
    await open.press('Run tool')
    await open.sees(/Task working: step \d/)
    await open.press('Cancel')
    await seen(() => readFile(join(lab.path, 'tasks.log'), 'utf8')).toContain('tasks/cancel')
    await open.get('textbox', 'how').fill('ask')
    await open.press('Run tool')
    await open.get('article', 'Asks you').getByRole('textbox', { name: 'colour' }).fill('green')
    await open.get('article', 'Asks you').getByRole('button', { name: 'Send answer' }).click()
    await result().getByText('built in green').waitFor()
  })

  test('the call can be copied as a command, which works', async () => {
    await open.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: lab.console.origin })
    await open.go('/servers/everything?tool=echo')
    await open.get('textbox', /^message/).fill(`it's $HOME; "é" \`date\``)
    await open.press('Copy as command')
    await open.sees('Copied.')
    const command = await open.page.evaluate<string>('navigator.clipboard.readText()')
    expect(command).toMatch(/^ostler mcp call --agent \S+ --state-dir \S+ everything echo '/)
    const script = `ostler() { "${process.execPath}" "${ostlerScript}" "$@"; }; ${command}`
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      env: { ...baseEnv, HOME: lab.path, ...lab.model.env },
    })
    expect(stdout).toContain(`it's $HOME; "é" \`date\``)
  })
})

describe('its parts', () => {
  test('resources: templates are filled in, and changes are shown', async () => {
    await open.go('/servers/rich/resources')
    await open.get('group', 'Fill in day').getByRole('textbox', { name: 'day' }).fill('monday')
    await open.press('Read day')
    await open.get('list', 'Templates').getByText('The text of diary://monday').waitFor()
    await open.press('Subscribe to one')
    await open.get('list', 'Resources').getByText('The text of note://one').waitFor()
    const { json } = await lab.console.ask('GET', '/api/servers')
    const { id } = json.servers.find(({ name }: { name: string }) => name === 'rich')
    await lab.console.ask('POST', `/api/servers/${id}/call`, {
      tool: 'touch',
      arguments: { uri: 'note://one' },
    })
    await open.sees(/^Updated \d/)
    // Another tab and a reload do not forget it, as the server does not.
    const isSubscribed = () => open.get('button', 'Subscribe to one').getAttribute('aria-pressed')
    await open.get('link', 'About').click()
    await open.get('link', /^Resources/).click()
    expect(await isSubscribed()).toBe('true')
    await open.page.reload()
    await seen(isSubscribed).toBe('true')
    await open.get('button', 'Subscribe to one').click()
    await seen(isSubscribed).toBe('false')
    await seen(() => readFile(join(lab.path, 'rich.log'), 'utf8')).toContain('resources/unsubscribe')
    expect(await lastCall('console:subscribe')).toMatchObject({ status: 'success', rule: 'person:console' })
    expect(await lastCall('console:unsubscribe')).toMatchObject({ status: 'success' })
    // A resource that a result links to is read here.
    await startTool('rich', 'refer')
    await result().getByRole('link', { name: 'Read' }).click()
    await open.get('region', 'Read by URI').getByText('The text of note://one').waitFor()
  })

  test('log: what a server wrote before it failed to start', async () => {
    const program = "console.error('NOTES are missing'); process.exit(3)"
    const entry = {
      type: 'stdio',
      command: process.execPath,
      args: ['-e', program],
      enabled: false,
      retryAttempts: 0,
    }
    await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'failing', entry })
    await open.go('/servers/failing/log')
    await open.sees('Nothing logged yet')
    await open.get('region', 'State').getByRole('button', { name: 'Connect' }).click()
    await open.inDialog('button', 'Run and connect').click()
    const lines = open.get('region', 'Log').getByLabel('Log lines')
    await lines.waitFor()
    expect(await lines.textContent()).toMatch(/^\d\d:\d\d:\d\d stderr: NOTES are missing$/)
  })

  test('log: the messages of the chosen level', async () => {
    await open.go('/servers/everything/log')
    await open.get('combobox', 'Log level').selectOption('Debug and above')
    const { json } = await lab.console.ask('GET', '/api/servers')
    const { id } = json.servers.find(({ name }: { name: string }) => name === 'everything')
    await seen(async () => (await lab.console.ask('GET', `/api/servers/${id}/log`)).json.level).toBe('debug')
    expect((await lab.console.ask('POST', `/api/servers/${id}/log-level`, { level: 'loud' })).status).toBe(
      400,
    )
    await open.page.reload()
    expect(await open.get('combobox', 'Log level').inputValue()).toBe('debug')
  })

  test('prompts and templates: values are suggested', async () => {
    await open.go('/servers/everything/prompts')
    const form = open.get('form', 'completable-prompt')
    const options = async () =>
      form
        .locator('datalist')
        .first()
        .locator('option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    await seen(options).toContain('Engineering')
    await form.getByRole('button', { name: 'Get prompt' }).click()
    await form.getByText('Required.').first().waitFor()
    await form.getByRole('combobox', { name: /^department/ }).fill('Sa')
    await seen(options).toEqual(['Sales'])
    await open.go('/servers/everything/resources')
    await open.get('list', 'Templates').locator('input').first().fill('1')
    await seen(() => open.get('list', 'Templates').locator('datalist option').count()).toBeGreaterThan(0)
  })

  test('protocol: messages are listed, searched, opened without secrets, and sent again', async () => {
    await open.go('/servers/rich/protocol')
    const messages = open.get('list', 'Messages').getByRole('button', { expanded: false })
    await messages.filter({ hasText: 'initialize' }).first().waitFor()
    await open.get('searchbox', 'Search messages').fill('tools/list')
    await seen(() => messages.count()).toBe(2)
    expect(await messages.first().textContent()).toMatch(/received.*result.*tools\/list.* ms.* KiB/)
    await messages.last().click()
    await open.get('list', 'Messages').getByText('"method": "tools/list"').waitFor()
    await open.press('Send again')
    await seen(() => messages.count()).toBe(3)

    const call = { tool: 'shoot', arguments: { scale: 'css', password: 'hush-hush-hush' } }
    const { json } = await lab.console.ask('GET', '/api/servers')
    const { id } = json.servers.find(({ name }: { name: string }) => name === 'rich')
    await lab.console.ask('POST', `/api/servers/${id}/call`, call)
    await open.get('searchbox', 'Search messages').fill('tools/call shoot')
    await seen(() => messages.count()).toBe(1)
    await messages.click()
    await open.get('list', 'Messages').getByText('"password": "[redacted]"').waitFor()
    expect(await open.get('main').textContent()).not.toContain('hush-hush-hush')
    const before = (await lab.console.ask('GET', '/api/calls?tool=shoot')).json.calls.length
    await open.press('Send again')
    await open.inDialog('button', 'Send again').click()
    await seen(async () => (await lab.console.ask('GET', '/api/calls?tool=shoot')).json.calls.length).toBe(
      before + 1,
    )
    await open.get('link', 'Calls').last().click()
    await open.get('region', 'Calls of rich').getByRole('button', { name: /shoot/ }).first().click()
    const { calls } = (await lab.console.ask('GET', '/api/calls?tool=shoot')).json
    await open.page.waitForURL(`**/servers/rich/calls?open=${calls[0].id}`)
    await open.page.reload()
    await open.get('region', 'Arguments').waitFor()
    await open.page.goBack()
    await open.get('region', 'Arguments').waitFor({ state: 'detached' })
  })
})
