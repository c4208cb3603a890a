import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab, type ConsoleLab } from '../support/console-lab.ts'

const file = 'approval: { mode: auto }\n'
const wholeServer = fixtureServer('whole-server.mjs')
const entry = { type: 'stdio', command: process.execPath, args: [wholeServer, 'stdio'], retryAttempts: 0 }

/** Holds the next request of this method to this path until it is released. `sent` resolves when the page has sent it. */
async function hold(page: Page, method: string, path: string) {
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isHolding = true
  await page.route(path, async (route) => {
    if (!isHolding || route.request().method() !== method) return route.fallback()
    isHolding = false
    sent.resolve()
    await released.promise
    return route.continue()
  })
  return { sent: sent.promise, release: () => released.resolve() }
}

/** One console for all tests. */
let lab: ConsoleLab
beforeAll(async () => {
  if (inject('chromium') !== undefined) lab = await openConsoleLab({ file })
})
afterAll(() => lab?.[Symbol.asyncDispose]())

const add = async (name: string, over: object = {}) =>
  (await lab.console.ask('POST', '/api/servers', { confirmed: true, name, entry: { ...entry, ...over } }))
    .json.id as string
const entryOf = async (id: string) => (await lab.console.ask('GET', `/api/servers/${id}`)).json.entry
const button = (server: string, name: string) =>
  lab.page.getByRole('article', { name: server, exact: true }).getByRole('button', { name })

test('a form that is opened after a variable was entered has that variable', async () => {
  const ends = "console.error('NOTES_TOKEN is not set'); process.exit(1)"
  await lab.go('/servers')
  await lab.press('Add server')
  const text = JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: ['-e', ends] } } })
  await lab.inDialog('textbox', 'Command line, URL or JSON').fill(text)
  await lab.inDialog('button', 'Add and connect').click()
  await lab.inDialog('button', 'Run and connect').click()
  await lab.page.getByLabel('NOTES_TOKEN').fill('hush-hush-hush')
  const [{ id }] = (await lab.console.ask('GET', '/api/servers')).json.servers

  await lab.inDialog('button', 'Save and connect').click()
  const saving = await hold(lab.page, 'PATCH', '**/api/servers/*')
  await lab.inDialog('button', 'Run and connect').click()
  await saving.sent
  // The form would not know the variable, and saving it would remove it.
  expect(await lab.inDialog('button', 'Edit settings').count()).toBe(0)
  saving.release()
  await lab.inDialog('button', 'Edit settings').click()
  await lab.inDialog('textbox', 'Description').fill('Keeps notes')
  await lab.inDialog('button', 'Save').click()
  await lab.get('dialog').waitFor({ state: 'detached' })
  expect(await entryOf(id)).toMatchObject({
    description: 'Keeps notes',
    env: { NOTES_TOKEN: '${secret:env.NOTES_TOKEN}' },
  })
})

test('a form that was opened before another change does not take that change back', async () => {
  const id = await add('calendar', { required: true, env: { LEVEL: 'info' } })
  await lab.go('/servers')
  await button('calendar', 'Edit').click()
  await lab.inDialog('textbox', 'Description').fill('Keeps notes')
  const change = { entry: { env: { LEVEL: 'debug' }, timeout: '5s' }, confirmed: true }
  expect((await lab.console.ask('PATCH', `/api/servers/${id}`, change)).status).toBe(200)
  await lab.inDialog('button', 'Save').click()
  await lab.get('dialog').waitFor({ state: 'detached' })
  expect(await entryOf(id)).toMatchObject({
    description: 'Keeps notes',
    env: { LEVEL: 'debug' },
    timeout: '5s',
    required: true,
  })
})

test('a save that ends late closes only its own form', async () => {
  const first = await add('first')
  await add('second')
  await lab.go('/servers')
  await button('first', 'Edit').click()
  await lab.inDialog('textbox', 'Description').fill('One')
  const saving = await hold(lab.page, 'PATCH', '**/api/servers/*')
  await lab.inDialog('button', 'Save').click()
  await saving.sent
  await lab.inDialog('button', 'Cancel').click()
  await lab.inDialog('button', 'Discard').click()
  await lab.get('dialog').waitFor({ state: 'detached' })
  await button('second', 'Edit').click()
  await lab.inDialog('textbox', 'Description').fill('Two')
  saving.release()
  await lab.sees('first is saved.')
  expect(await lab.inDialog('textbox', 'Description').inputValue()).toBe('Two')
  expect(await entryOf(first)).toMatchObject({ description: 'One' })

  // The same holds for a removal that ends late.
  await lab.inDialog('button', 'Cancel').click()
  await lab.inDialog('button', 'Discard').click()
  await button('first', 'Remove').click()
  const removing = await hold(lab.page, 'DELETE', '**/api/servers/*')
  await lab.inDialog('button', 'Remove').click()
  await removing.sent
  await lab.inDialog('button', 'Cancel').click()
  await button('second', 'Edit').click()
  await lab.inDialog('textbox', 'Description').fill('Two')
  removing.release()
  await lab.sees('first is removed.')
  expect(await lab.inDialog('textbox', 'Description').inputValue()).toBe('Two')
})

test('a connection that is cancelled leads nowhere', async () => {
  const program = `if (process.env.NOTES_TOKEN === undefined) { console.error('NOTES_TOKEN is not set'); process.exit(1) }
    process.argv.splice(1, 0, '${wholeServer}'); await import('${wholeServer}')`
  await lab.go('/servers')
  await lab.press('Add server')
  const server = { command: process.execPath, args: ['--input-type=module', '-e', program, 'stdio'] }
  await lab
    .inDialog('textbox', 'Command line, URL or JSON')
    .fill(JSON.stringify({ mcpServers: { mail: server } }))
  await lab.inDialog('button', 'Add and connect').click()
  await lab.inDialog('button', 'Run and connect').click()
  await lab.page.getByLabel('NOTES_TOKEN').fill('hush-hush-hush')
  await lab.inDialog('button', 'Save and connect').click()
  const connecting = await hold(lab.page, 'POST', '**/api/servers/*/connect')
  await lab.inDialog('button', 'Run and connect').click()
  await connecting.sent
  const cancelled = lab.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/connect'))
  await lab.inDialog('button', 'Cancel').click()
  await lab.get('dialog').waitFor({ state: 'detached' })
  await cancelled
  expect(new URL(lab.page.url()).pathname).toBe('/servers')
})

test('a test of a server that starts before the page has settled from the last change runs', async () => {
  await lab.go('/servers')
  await lab.press('Add server')
  await lab.inDialog('button', 'Fill in a form').click()
  await lab.inDialog('textbox', 'Name (required)').fill('notes')
  await lab.inDialog('textbox', /^Command/).fill(process.execPath)
  await lab.inDialog('textbox', 'Arguments').fill(`${wholeServer}\nstdio\nagai`)
  // On a slow machine, a click can follow a key before the next frame, when effects that wait for it have not run.
  await lab.inDialog('textbox', 'Arguments').evaluate(async (field: HTMLTextAreaElement) => {
    field.value += 'n'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await Promise.resolve()
    for (const button of document.querySelectorAll('button'))
      if (button.textContent === 'Test connection') button.click()
  })
  await lab.inDialog('button', 'Run and test').click()
  await seen(() => lab.inDialog('list', 'Discovered tools').getByRole('listitem').count()).toBe(6)
})

test('a setting of the agent that is changed while the last change is saved stays changed', async () => {
  await lab.go('/agent?view=limits')
  const calls = lab.get('textbox', 'Maximum parallel calls')
  await calls.fill('17')
  await lab.press('Review changes')
  const saving = await hold(lab.page, 'PUT', '**/api/agent')
  await lab.inDialog('button', 'Save').click()
  await saving.sent
  await lab.inDialog('button', 'Back').click()
  await calls.fill('18')
  saving.release()
  await seen(() => lab.readFile()).toContain('17')
  expect(await calls.inputValue()).toBe('18')
  await lab.get('region', 'Unsaved changes').waitFor()
})

test('a save of the agent that ends late leaves a newer review open', async () => {
  await lab.go('/agent?view=limits')
  const calls = lab.get('textbox', 'Maximum parallel calls')
  await calls.fill('21')
  await lab.press('Review changes')
  const saving = await hold(lab.page, 'PUT', '**/api/agent')
  await lab.inDialog('button', 'Save').click()
  await saving.sent
  await lab.inDialog('button', 'Back').click()
  await calls.fill('22')
  await lab.press('Review changes')
  await lab.inDialog('button', 'Back').waitFor()
  saving.release()
  await lab.page.getByText('Saved. Server selection applies now').first().waitFor({ state: 'attached' })
  expect(await lab.inDialog('button', 'Back').isVisible()).toBe(true)
  await lab.inDialog('button', 'Back').click()
  await lab.press('Discard')
})

test('a setting that was saved after its page was left is not offered as an unsaved change', async () => {
  await lab.go('/agent?view=limits')
  await lab.get('textbox', 'Maximum parallel calls').fill('31')
  await lab.press('Review changes')
  const saving = await hold(lab.page, 'PUT', '**/api/agent')
  await lab.inDialog('button', 'Save').click()
  await saving.sent
  await lab.inDialog('button', 'Back').click()
  await lab.get('link', 'Tools').click()
  await lab.get('heading', 'Tools').first().waitFor()
  const answered = lab.page.waitForResponse((response) => response.request().method() === 'PUT')
  saving.release()
  await (await answered).finished()
  // Another program changes the field.
  await writeFile(lab.file, (await lab.readFile()).replace('31', '32'))
  await lab.get('link', 'Agent').click()
  await lab.get('navigation', 'Parts of the agent').waitFor()
  expect(await lab.get('region', 'Unsaved changes').count()).toBe(0)
})
