import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { processesWithArgument } from '../../support/processes.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab, type ConsoleLab } from '../support/console-lab.ts'

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

const servers = (lab: ConsoleLab) => ({
  everything: [everything, 'stdio'],
  gated: [fixtureServer('gated-server.mjs'), join(lab.path, 'gate')],
  rich: [fixtureServer('rich-server.mjs')],
})

/** One console for all tests: its servers are connected once. */
let lab: ConsoleLab
beforeAll(async () => {
  if (inject('chromium') === undefined) return
  lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
  for (const [name, args] of Object.entries(servers(lab))) {
    const entry = { type: 'stdio', command: process.execPath, args }
    const { json } = await lab.console.ask('POST', '/api/servers', { confirmed: true, name, entry })
    await lab.console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  }
})
afterAll(() => lab?.[Symbol.asyncDispose]())

async function run(server: keyof ReturnType<typeof servers>, tool: string) {
  await lab.go(`/servers/${server}?tool=${tool}`)
  await lab.press('Run tool')
  const result = lab.get('region', 'Result')
  await result.waitFor()
  return result
}

describe('a tool', () => {
  test('is found with the keyboard, and its schema can be copied', async () => {
    await lab.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: lab.console.origin })
    await lab.go('/servers/everything')
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
    const copied = JSON.parse(await lab.page.evaluate<string>('navigator.clipboard.readText()')) as {
      required: string[]
    }
    expect(copied.required).toEqual(['a', 'b'])
    await lab.get('searchbox', 'Search tools').press('Escape')
    await seen(() => tools.count()).toBe(count)
    // Tab leaves the list: the arrow keys move through it.
    expect(
      await tools.evaluateAll(
        (links: HTMLAnchorElement[]) => links.filter(({ tabIndex }) => tabIndex === 0).length,
      ),
    ).toBe(1)
    await lab.get('searchbox', 'Search tools').fill('no such tool')
    await lab.sees('No tool matches “no such tool”')
  })

  test('has room for a description beside a long name of a parameter', async () => {
    const properties = {
      ['a_long_name_'.repeat(7)]: {
        type: 'string',
        description: 'What this long parameter is about, in a few words.',
      },
    }
    await lab.offer('long', [{ name: 'alpha', inputSchema: { type: 'object', properties } }])
    const entry = { type: 'stdio', ...lab.command('long') }
    const { json } = await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'long', entry })
    await lab.console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
    await lab.go('/servers/long?tool=alpha')
    const about = lab.get('cell', /What this long parameter/)
    for (const width of [390, 1280]) {
      await lab.page.setViewportSize({ width, height: 800 })
      const { width: wide = 0, height = 0 } = (await about.boundingBox()) ?? {}
      expect([width, wide > 120, height < 130]).toEqual([width, true, true])
    }
  })

  test('shows the icon that is in its definition, and loads no other', async () => {
    await lab.go('/servers/rich')
    const tools = lab.get('region', 'Tools').getByRole('link')
    await tools.first().waitFor()
    const icons = lab.get('region', 'Tools').locator('img')
    await seen(() => icons.count()).toBe(1)
    expect(
      await icons.first().evaluate((image: HTMLImageElement) => [image.naturalWidth, image.src.slice(0, 15)]),
    ).toEqual([1, 'data:image/png;'])
  })

  test("is run from equivalent forms, fields or JSON, and its call is recorded as the person's", async () => {
    await lab.go('/tools?server=everything&tool=get-sum')
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
    await lab.get('textbox', /^a/).press('Control+Enter')
    await lab.get('region', 'Result').getByText('43').first().waitFor()
    await lab.get('region', 'Try it').getByText('Succeeded').waitFor()
    const { json: list } = await lab.console.ask('GET', '/api/calls?tool=get-sum')
    expect(list.calls).toMatchObject([
      { server: 'everything', status: 'success', rule: 'person:console', sessionId: null },
    ])
    await lab.go('/calls')
    await lab.get('button', /Succeeded everything \/ get-sum/).waitFor()
  })

  test('shows its progress when it takes long, and can be cancelled', async () => {
    await lab.go('/servers/gated?tool=wait')
    await lab.press('Run tool')
    await lab.sees(/half way/)
    await lab.get('timer', 'Elapsed time').waitFor()
    expect(await lab.get('button', 'Run tool').isDisabled()).toBe(true)
    await lab.press('Cancel')
    await lab.get('region', 'Try it').getByText('Cancelled').waitFor()
    await seen(() => readFile(join(lab.path, 'gate.log'), 'utf8')).toContain('cancelled')
    await seen(async () => (await lab.console.ask('GET', '/api/calls?tool=wait')).json.calls[0].status).toBe(
      'cancelled',
    )

    await writeFile(join(lab.path, 'gate'), '')
    await lab.get('textbox', 'word').fill('patience')
    await lab.press('Run tool')
    await lab.get('region', 'Result').getByText('waited with patience').waitFor()
    await rm(join(lab.path, 'gate'))
  })

  test('is cancelled when its page is left', async () => {
    await lab.go('/servers/gated?tool=wait')
    await lab.press('Run tool')
    await lab.sees(/half way/)
    await lab.get('link', 'Sessions').click()
    await seen(async () => (await lab.console.ask('GET', '/api/calls?tool=wait')).json.calls[0].status).toBe(
      'cancelled',
    )
  })

  test('shows its error when it fails', async () => {
    const result = await run('gated', 'fail')
    await lab.get('region', 'Try it').getByText('Failed', { exact: true }).waitFor()
    expect(await result.textContent()).toContain('the disk is full')
  })
})

describe('the result of a tool', () => {
  test('is shown according to its kind', async () => {
    const picture = (await run('everything', 'get-tiny-image')).getByRole('img')
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    expect(
      await lab.page.evaluate(`document.querySelector('section img').decode().then(() => 'drawn')`),
    ).toBe('drawn')

    const links = await run('everything', 'get-resource-links')
    await seen(() => links.getByText('Resource link', { exact: true }).count()).toBe(3)
    // Links provided by a server are not clickable.
    expect(await links.locator('a:not([href^="/"])').count()).toBe(0)

    expect(await (await run('everything', 'get-resource-reference')).textContent()).toMatch(
      /resource 1|Resource 1/,
    )
    await lab.get('combobox', /^resourceType/).selectOption('Blob')
    await lab.press('Run tool')
    // Its bytes are text, so they are shown as text.
    await lab
      .get('region', 'Result')
      .getByText(/esource 1: This is a base64 blob/)
      .first()
      .waitFor()

    await lab.go('/servers/everything?tool=get-structured-content')
    await lab.get('combobox', /^location/).selectOption('Chicago')
    await lab.press('Run tool')
    await lab.page.getByText('Structured result').click()
    await lab.get('region', 'Result').getByText('temperature: ').first().waitFor()

    await lab.go('/servers/everything?tool=get-annotated-message')
    await lab.get('combobox', /^messageType/).selectOption('success')
    await lab.get('combobox', /^includeImage/).selectOption('Yes')
    await lab.press('Run tool')
    await lab.get('region', 'Result').getByRole('img').waitFor()
  })

  test('may contain readable resources', async () => {
    await lab.go('/servers/everything')
    await lab.get('link', /^Resources \d+$/).click()
    const resource = lab.get('list', 'Resources').getByRole('listitem').first()
    await resource.getByRole('button', { name: /^Read/ }).click()
    // It is Markdown.
    await resource.locator('.markdown-heading').first().waitFor()
    await resource.getByRole('button', { name: 'Show as Markdown' }).click()
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
    await lab
      .get('list', /^Messages of/)
      .getByRole('button', { name: 'Show as Markdown', pressed: true })
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
  const entry = {
    type: 'stdio',
    command: process.execPath,
    args: [fixtureServer('gated-server.mjs'), join(lab.path, 'other')],
    enabled: false,
  }
  // A server that no agent starts can be stored without consent.
  await lab.console.ask('POST', '/api/servers', { name: 'unconnected', entry })
  await lab.go('/servers/unconnected')
  await lab.sees('This console is not connected to unconnected')
  await lab.get('main').getByRole('button', { name: 'Connect', exact: true }).last().click()
  expect(await lab.get('dialog', 'Run this command?').locator('pre').textContent()).toContain(
    join(lab.path, 'other'),
  )
  expect(await processesWithArgument(join(lab.path, 'other'))).toEqual([])
  await lab.inDialog('button', 'Run and connect').click()
  await seen(() => lab.get('region', 'Tools').getByRole('link').allTextContents()).toEqual([
    'waitWaits until it may go on',
    'failFails',
  ])
})
