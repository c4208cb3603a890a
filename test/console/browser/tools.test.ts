import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { processesWithArgument } from '../../support/processes.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab, type ConsoleLab } from '../support/console-lab.ts'

const everything = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url))

async function openWith(args: (lab: ConsoleLab) => readonly string[], isConnected = true): Promise<ConsoleLab> {
  const lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
  // A server that no agent starts can be stored without consent.
  const entry = { type: 'stdio', command: process.execPath, args: args(lab), enabled: isConnected }
  const { json } = await lab.console.ask('POST', '/api/servers', { confirmed: isConnected, name: 'tried', entry })
  if (isConnected) await lab.console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  return lab
}

const openEverything = () => openWith(() => [everything, 'stdio'])
const openGated = () => openWith((lab) => [fixtureServer('gated-server.mjs'), join(lab.path, 'gate')])

async function run(lab: ConsoleLab, tool: string) {
  await lab.go(`/servers/tried?tool=${tool}`)
  await lab.press('Run tool')
  const result = lab.get('region', 'Result')
  await result.waitFor()
  return result
}

describe('a tool', () => {
  test('is found with the keyboard, and its schema can be copied', async () => {
    await using lab = await openEverything()
    await lab.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: lab.console.origin })
    await lab.go('/servers/tried')
    const tools = lab.get('region', 'Tools').getByRole('link')
    await tools.first().waitFor()
    const count = await tools.count()
    await lab.page.keyboard.press('/')
    await lab.page.keyboard.type('sum')
    await seen(() => tools.count()).toBe(1)
    await lab.sees(`1 of ${count} tools`)
    await tools.press('Enter')
    await lab.get('heading', 'get-sum').waitFor()
    const names = lab.get('group', 'Parameters, scrollable').getByRole('rowheader')
    expect(await names.allTextContents()).toEqual(['a required', 'b required'])

    await lab.page.getByText('JSON Schema').click()
    await lab.press('Copy schema')
    await lab.sees('Copied.')
    const copied = JSON.parse(await lab.page.evaluate<string>('navigator.clipboard.readText()')) as { required: string[] }
    expect(copied.required).toEqual(['a', 'b'])
    await lab.get('searchbox', 'Search tools').press('Escape')
    await seen(() => tools.count()).toBe(count)
    await lab.get('searchbox', 'Search tools').fill('no such tool')
    await lab.sees('No tool matches “no such tool”')
  })

  test('shows the icon that is in its definition, and loads none from elsewhere', async () => {
    await using lab = await openWith(() => [fixtureServer('rich-server.mjs')])
    await lab.go('/servers/tried')
    const tools = lab.get('region', 'Tools').getByRole('link')
    await tools.first().waitFor()
    const icons = lab.get('region', 'Tools').locator('img')
    await seen(() => icons.count()).toBe(1)
    expect(await icons.first().evaluate((image: HTMLImageElement) => [image.naturalWidth, image.src.slice(0, 15)])).toEqual([
      1,
      'data:image/png;',
    ])
  })

  test("is run from equivalent forms, fields or JSON, and its call is recorded as the person's", async () => {
    await using lab = await openEverything()
    await lab.go('/tools?server=tried&tool=get-sum')
    await lab.press('Run tool')
    await lab.page.locator('[aria-invalid=true]:focus').waitFor()
    await lab.get('textbox', /^a/).fill('40')
    await lab.get('textbox', /^b/).fill('2')
    await lab.get('radio', 'JSON').check()
    const json = lab.get('textbox', 'Arguments (JSON)')
    expect(JSON.parse(await json.inputValue())).toEqual({ a: 40, b: 2 })
    await json.fill('{ "a": 41, "b": 2')
    await lab.press('Run tool')
    await lab.sees(/not valid JSON/)
    await json.fill('{ "a": 41, "b": 2 }')
    await lab.get('radio', 'Form').check()
    expect(await lab.get('textbox', /^a/).inputValue()).toBe('41')
    await lab.press('Run tool')
    await lab.get('region', 'Result').getByText('43').first().waitFor()
    await lab.get('region', 'Try it').getByText('Succeeded').waitFor()
    const { json: list } = await lab.console.ask('GET', '/api/calls?tool=get-sum')
    expect(list.calls).toMatchObject([{ server: 'tried', status: 'success', rule: 'person:console', sessionId: null }])
    await lab.go('/calls')
    await lab.get('button', /Succeeded tried \/ get-sum/).waitFor()
  })

  test('shows its progress when it takes long, and can be cancelled', async () => {
    await using lab = await openGated()
    await lab.go('/servers/tried?tool=wait')
    await lab.press('Run tool')
    await lab.sees(/half way/)
    await lab.get('timer', 'Elapsed time').waitFor()
    expect(await lab.get('button', 'Run tool').isDisabled()).toBe(true)
    await lab.press('Cancel')
    await lab.get('region', 'Try it').getByText('Cancelled').waitFor()
    await seen(() => readFile(join(lab.path, 'gate.log'), 'utf8')).toContain('cancelled')
    await seen(async () => (await lab.console.ask('GET', '/api/calls?tool=wait')).json.calls[0].status).toBe('cancelled')

    await writeFile(join(lab.path, 'gate'), '')
    await lab.get('textbox', 'word').fill('patience')
    await lab.press('Run tool')
    await lab.get('region', 'Result').getByText('waited with patience').waitFor()
  })

  test('is cancelled when its page is left', async () => {
    await using lab = await openGated()
    await lab.go('/servers/tried?tool=wait')
    await lab.press('Run tool')
    await lab.sees(/half way/)
    await lab.get('link', 'Sessions').click()
    await seen(async () => (await lab.console.ask('GET', '/api/calls?tool=wait')).json.calls[0].status).toBe('cancelled')
  })

  test('shows its error when it fails', async () => {
    await using lab = await openGated()
    const result = await run(lab, 'fail')
    await lab.get('region', 'Try it').getByText('Failed', { exact: true }).waitFor()
    expect(await result.textContent()).toContain('the disk is full')
  })
})

describe('the result of a tool', () => {
  test('is shown according to its kind', async () => {
    await using lab = await openEverything()
    const picture = (await run(lab, 'get-tiny-image')).getByRole('img')
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    expect(await lab.page.evaluate(`document.querySelector('section img').decode().then(() => 'drawn')`)).toBe('drawn')

    const links = await run(lab, 'get-resource-links')
    await seen(() => links.getByText('Resource link', { exact: true }).count()).toBe(3)
    // Links provided by a server are not clickable.
    expect(await links.locator('a:not([href^="/"])').count()).toBe(0)

    expect(await (await run(lab, 'get-resource-reference')).textContent()).toMatch(/resource 1|Resource 1/)
    await lab.get('combobox', /^resourceType/).selectOption('Blob')
    await lab.press('Run tool')
    // Its bytes are text, so they are shown as text.
    await lab
      .get('region', 'Result')
      .getByText(/esource 1: This is a base64 blob/)
      .first()
      .waitFor()

    await lab.go('/servers/tried?tool=get-structured-content')
    await lab.get('combobox', /^location/).selectOption('Chicago')
    await lab.press('Run tool')
    await lab.page.getByText('Structured result').click()
    await lab.get('region', 'Result').getByText('temperature: ').first().waitFor()

    await lab.go('/servers/tried?tool=get-annotated-message')
    await lab.get('combobox', /^messageType/).selectOption('success')
    await lab.get('combobox', /^includeImage/).selectOption('Yes')
    await lab.press('Run tool')
    await lab.get('region', 'Result').getByRole('img').waitFor()
  })

  test('may contain readable resources', async () => {
    await using lab = await openEverything()
    await lab.go('/servers/tried')
    await lab.get('link', /^Resources \d+$/).click()
    const resource = lab.get('list', 'Resources').getByRole('listitem').first()
    await resource.getByRole('button', { name: /^Read/ }).click()
    await resource.locator('pre').waitFor()
    expect((await resource.locator('pre').textContent())?.length).toBeGreaterThan(10)
    await lab.get('link', /^Prompts \d+$/).click()
    const prompts = lab.get('list', 'Prompts').getByRole('form')
    await seen(() => prompts.count()).toBeGreaterThan(1)
    const withArguments = prompts.filter({ has: lab.page.getByRole('textbox') }).first()
    for (const field of await withArguments.getByRole('textbox').all()) await field.fill('Gdansk')
    await withArguments.getByRole('button', { name: 'Get prompt' }).click()
    await lab
      .get('list', /^Messages of/)
      .getByText(/Gdansk/)
      .first()
      .waitFor()
    await lab.page.goBack()
    await lab.get('list', 'Resources').waitFor()

    await lab.get('link', 'Log').click()
    const log = lab.page.getByLabel('Log lines')
    await log.getByText(/server/i).waitFor()
    await lab.get('searchbox', 'Search the log').fill('no such line')
    await lab.sees('No line matches “no such line”')
    await lab.get('link', 'About').click()
    await lab.get('heading', 'Instructions for the model').waitFor()
  })
})

test('a server that is not connected shows its command line, and needs consent before it runs', async () => {
  await using lab = await openWith((lab) => [fixtureServer('gated-server.mjs'), join(lab.path, 'gate')], false)
  await lab.go('/servers/tried')
  await lab.sees('This console is not connected to tried')
  await lab.get('main').getByRole('button', { name: 'Connect', exact: true }).last().click()
  expect(await lab.get('dialog', 'Run this command?').locator('pre').textContent()).toContain(join(lab.path, 'gate'))
  expect(await processesWithArgument(join(lab.path, 'gate'))).toEqual([])
  await lab.inDialog('button', 'Run and connect').click()
  await seen(() => lab.get('region', 'Tools').getByRole('link').allTextContents()).toEqual(['waitWaits until it may go on', 'failFails'])
})
