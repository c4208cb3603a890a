import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { processesWithArgument, until } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { openConsoleProcess } from '../console-process.ts'
import { openConsolePage, seen, waitMsMax, type ConsolePage } from '../support/browser.ts'
import { offeredTools, openConsoleLab, openSession } from '../support/console-lab.ts'

const wholeServer = fixtureServer('whole-server.mjs')
const nameField = 'Name (required)'
const file = 'approval: { mode: auto }\n'

async function fillCommand({ inDialog }: Pick<ConsolePage, 'inDialog'>, server: string, ...args: string[]): Promise<void> {
  await inDialog('textbox', nameField).fill(server)
  await inDialog('textbox', /^Command/).fill(process.execPath)
  await inDialog('textbox', 'Arguments').fill(args.join('\n'))
}

const card = ({ page }: Pick<ConsolePage, 'page'>, server: string) => page.getByRole('article', { name: server, exact: true })

describe('add a server', () => {
  test('over HTTP: test it, see its tools, save it, and it is in the list', async () => {
    await using server = await startHttpFixture('whole-server.mjs', 'http')
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.sees('No servers yet')
    await lab.press('Add server')
    await lab.inDialog('textbox', nameField).fill('notes')
    await lab.inDialog('radio', 'HTTP').check()
    await lab.inDialog('textbox', /^URL/).fill(server.url)
    await lab.inDialog('button', 'Test connection').click()
    const tools = lab.inDialog('list', 'Discovered tools').getByRole('listitem')
    await seen(() => tools.count()).toBe(6)
    expect(await tools.first().textContent()).toBe('add Adds two numbers')
    await lab.sees('Connected')
    expect(await card(lab, 'notes').count()).toBe(0)

    await lab.inDialog('button', 'Save').click()
    await card(lab, 'notes').waitFor()
    expect(await card(lab, 'notes').textContent()).toContain(server.url)
    expect(await lab.get('dialog').count()).toBe(0)
    await lab.sees('notes is saved.')
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([{ name: 'notes', transport: 'http' }])
  })

  test('over stdio: nothing runs before a person has seen the whole command line and consented', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.press('Add server')
    await fillCommand(lab, 'local', wholeServer, 'stdio', `in ${lab.path}`)
    const started = () => processesWithArgument(`in ${lab.path}`)
    await lab.inDialog('button', 'Add variable').click()
    await lab.inDialog('textbox', 'Name of variable 1').fill('API_TOKEN')
    await lab.page.getByLabel('Value of variable 1').fill('hush-hush-hush')
    // Its name marks it as a secret, so its value is hidden from then on.
    expect(await lab.page.getByLabel('Value of variable 1').getAttribute('type')).toBe('password')
    expect(await lab.inDialog('checkbox', 'Secret').isChecked()).toBe(true)

    await lab.inDialog('button', 'Test connection').click()
    const question = lab.get('dialog', 'Run this command?')
    await question.waitFor()
    const commandLine = await question.locator('pre').textContent()
    expect(commandLine).toContain(`${process.execPath} ${wholeServer} stdio 'in ${lab.path}'`)
    expect(commandLine).toContain('API_TOKEN=[redacted]')
    expect(await started()).toEqual([])
    await lab.inDialog('button', 'Cancel').click()
    await question.waitFor({ state: 'detached' })
    expect(await started()).toEqual([])

    await lab.inDialog('button', 'Test connection').click()
    await lab.inDialog('button', 'Run and test').click()
    await lab.inDialog('list', 'Discovered tools').waitFor()
    // A test leaves nothing running and stores nothing.
    await until('its end', async () => (await started()).length === 0)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
    await lab.inDialog('button', 'Save').click()
    await card(lab, 'local').getByText('1 secret').waitFor()
    expect(await lab.page.content()).not.toContain('hush')

    // The same command was confirmed before.
    await card(lab, 'local').getByRole('button', { name: 'Connect' }).click()
    await card(lab, 'local').getByText('Connected', { exact: true }).waitFor()
    await card(lab, 'local').getByText('6 tools').waitFor()
    await card(lab, 'local').getByRole('button', { name: 'Disconnect' }).click()
    await card(lab, 'local').getByText('Disconnected', { exact: true }).waitFor()
  })

  test('an agent that runs starts it only after the person has seen the command, and is asked once', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.offer('work', ['alpha'])
    await using editor = await lab.edit()
    const sessionId = await openSession(editor, lab)
    const { args } = lab.command('work')
    await lab.go('/servers')
    await lab.press('Add server')
    await seen(() => lab.inDialog('textbox', nameField).evaluate((field) => field.matches(':focus'))).toBe(true)
    await lab.inDialog('textbox', nameField).fill('work')
    // A line as documentation prints it.
    await lab.inDialog('textbox', /^Command/).fill(`GREETING='good day' "${process.execPath}" ${args.join(' ')}`)
    await lab.inDialog('button', 'Split it').click()
    expect(await lab.inDialog('textbox', 'Arguments').inputValue()).toBe(args.join('\n'))
    expect(await lab.page.getByLabel('Value of variable 1').inputValue()).toBe('good day')
    // What was typed is not lost by one key.
    await lab.page.keyboard.press('Escape')
    await lab.get('dialog', 'Discard what you typed?').waitFor()
    await lab.inDialog('button', 'Cancel').click()

    await lab.inDialog('button', 'Save').click()
    const question = lab.get('dialog', 'Run this command?')
    expect(await question.locator('pre').textContent()).toBe(`'GREETING=good day' ${process.execPath} ${args.join(' ')}`)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
    await lab.inDialog('button', 'Save and run').click()
    await card(lab, 'work').waitFor()
    await until('the tool', async () => (await editor.prompt(sessionId, 'go')) && offeredTools(lab).includes('work__alpha'))
    await lab.get('searchbox', 'Search servers').fill('changing-server')
    await card(lab, 'work').getByRole('button', { name: 'Connect' }).click()
    await card(lab, 'work').getByText('Connected', { exact: true }).waitFor()
    await card(lab, 'work').getByText('1 tool').waitFor()

    // The connection of the console survives a change of the agent file.
    const { settings, version } = (await lab.console.ask('GET', '/api/agent')).json
    const changed = { ...settings, toolbox: { ...settings.toolbox, maxConcurrent: 11 } }
    expect((await lab.console.ask('PUT', '/api/agent', { settings: changed, version })).status).toBe(200)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers[0].status.state).toBe('connected')
    // One process for the agent, one for the console.
    expect(await processesWithArgument(args[1]!)).toHaveLength(2)
  })

  test("a failed connection shows the reason and the server's last output", async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.press('Add server')
    await fillCommand(lab, 'broken', wholeServer, 'stdio', 'broken')
    await lab.inDialog('button', 'Test connection').click()
    await lab.inDialog('button', 'Run and test').click()
    const alert = lab.inDialog('alert')
    await alert.getByText('Last output').waitFor()
    expect(await alert.locator('p').first().textContent()).toMatch(/exit|ended/i)
    expect(await alert.locator('pre').textContent()).toContain('cannot log in')
    await lab.inDialog('textbox', 'Arguments').fill(`${wholeServer}\nstdio`)
    expect(await alert.count()).toBe(0)
    await lab.inDialog('button', 'Test connection').click()
    await lab.inDialog('button', 'Run and test').click()
    await lab.inDialog('list', 'Discovered tools').waitFor()
    expect(await alert.count()).toBe(0)
  })

  test('a problem is shown next to its field, and the first one has the focus', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.press('Add server')
    const errorOf = async (field: ReturnType<typeof lab.get>) => {
      const id = (await field.getAttribute('aria-describedby'))?.split(' ').at(-1)
      return id === undefined ? null : lab.page.locator(`[id="${id}"]`).textContent()
    }
    // No field has been visited yet.
    expect(await lab.get('dialog').locator('[aria-invalid=true]').count()).toBe(0)
    await lab.inDialog('button', 'Save').click()
    await lab.page.locator('[aria-invalid=true]:focus').waitFor()
    for (const field of [nameField, 'Command (required)'])
      expect([field, await errorOf(lab.inDialog('textbox', field))]).toEqual([field, 'must not be empty'])
    expect(await lab.inDialog('textbox', nameField).evaluate((field) => field.matches(':focus'))).toBe(true)

    await lab.inDialog('radio', 'HTTP').check()
    await lab.inDialog('textbox', /^URL/).fill('ftp://example.com/')
    await lab.inDialog('textbox', /^URL/).blur()
    await seen(() => errorOf(lab.inDialog('textbox', /^URL/))).toMatch(/http/)
    await lab.inDialog('textbox', /^URL/).fill('http://example.com/mcp')
    await lab.inDialog('checkbox', 'Allow unencrypted HTTP').waitFor()
    await seen(() => errorOf(lab.inDialog('textbox', /^URL/))).toMatch(/https|insecure/i)
    await lab.inDialog('checkbox', 'Allow unencrypted HTTP').check()
    await seen(() => lab.inDialog('textbox', /^URL/).getAttribute('aria-invalid')).toBe('false')
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
  })
})

test('an error that appears on leaving a field does not move the page under a click', async () => {
  await using lab = await openConsoleLab({ file })
  await lab.go('/servers')
  await lab.press('Add server')
  await lab.inDialog('radio', 'HTTP').check()
  const validated = lab.page.waitForResponse((response) => response.request().postData()?.includes('192.168.0.1') === true)
  await lab.inDialog('textbox', /^URL/).fill('http://192.168.0.1/')
  await validated
  const checkbox = lab.inDialog('checkbox', 'Allow unencrypted HTTP')
  await checkbox.scrollIntoViewIfNeeded()
  const before = (await checkbox.boundingBox())!
  await lab.page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await lab.page.mouse.down()
  await lab.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await checkbox.boundingBox()).toEqual(before)
  expect(await lab.inDialog('textbox', /^URL/).getAttribute('aria-invalid')).not.toBe('true')
  await lab.page.mouse.up()
  await seen(() => checkbox.isChecked()).toBe(true)
})

test('an address of a private network must be confirmed', async () => {
  await using lab = await openConsoleLab({ file })
  await lab.go('/servers')
  await lab.press('Add server')
  await lab.inDialog('textbox', nameField).fill('cloud')
  await lab.inDialog('radio', 'HTTP').check()
  await lab.inDialog('textbox', /^URL/).fill('http://169.254.169.254/latest/meta-data')
  await lab.inDialog('checkbox', 'Allow unencrypted HTTP').check()
  await lab.inDialog('button', 'Test connection').click()
  const question = lab.get('dialog', 'Connect to this address?')
  await question.getByText('169.254.169.254', { exact: true }).waitFor()
  await lab.page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect((await lab.console.ask('GET', '/api/calls')).json.calls).toEqual([])
})

describe('a stored server', () => {
  test('is edited keeping its secrets, cloned without them, and removed after a question', async () => {
    await using lab = await openConsoleLab({ file })
    const entry = {
      type: 'stdio',
      command: process.execPath,
      args: [wholeServer, 'stdio'],
      env: { API_TOKEN: 'hush-hush-hush', PLAIN: 'x' },
    }
    await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'local', entry })
    await lab.go('/servers')
    await card(lab, 'local').getByRole('button', { name: 'Edit' }).click()
    await lab.sees(/^Set, ending in hush|^Set/)
    expect(await lab.page.getByLabel('Value of variable 1').inputValue()).toBe('')
    await lab.inDialog('textbox', 'Description').fill('Keeps things')
    await lab.inDialog('textbox', 'Value of variable 2').fill('y')
    await lab.inDialog('button', 'Save').click()
    await lab.inDialog('button', 'Save and run').click()
    await card(lab, 'local').getByText('Keeps things').waitFor()
    const told = async (tool: string, variable: string) => {
      const { json } = await lab.console.ask('GET', '/api/servers')
      const body = { tool, arguments: { name: variable }, confirmed: true }
      const { text } = await lab.console.ask('POST', `/api/servers/${json.servers[0].id}/call`, body)
      return (JSON.parse(text.trim().split('\n').at(-1)!) as { result: { content: { text: string }[] } }).result.content[0]?.text
    }
    expect(await told('length', 'API_TOKEN')).toBe('14')
    expect(await told('variable', 'PLAIN')).toBe('y')

    await card(lab, 'local').getByRole('button', { name: 'Clone' }).click()
    await lab.sees('Secrets are not copied: env.API_TOKEN.')
    expect(await lab.inDialog('textbox', nameField).inputValue()).toBe('local-copy')
    await lab.inDialog('button', 'Save').click()
    await lab.inDialog('button', 'Save and run').click()
    await card(lab, 'local-copy').waitFor()

    await card(lab, 'local').getByRole('button', { name: 'Remove' }).click()
    await lab.inDialog('button', 'Cancel').click()
    expect(await card(lab, 'local').count()).toBe(1)
    await card(lab, 'local').getByRole('button', { name: 'Remove' }).click()
    await lab.inDialog('button', 'Remove').click()
    await card(lab, 'local').waitFor({ state: 'detached' })
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([{ name: 'local-copy' }])
  })

  test('is removed from a running agent when disabled, and returns when enabled', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.offer('work', ['alpha'])
    await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
    await using editor = await lab.edit()
    const sessionId = await openSession(editor, lab)
    const hasTool = async () => (await editor.prompt(sessionId, 'go')) && offeredTools(lab).includes('work__alpha')
    await until('the tool', hasTool)
    await lab.go('/servers')
    await card(lab, 'work').getByText('In use by an agent').waitFor()
    await card(lab, 'work').getByText('1 tool').waitFor()
    expect(await card(lab, 'work').textContent()).toContain('This console: Disconnected')
    await card(lab, 'work').getByRole('switch').click()
    await seen(() => card(lab, 'work').getByRole('switch').isChecked()).toBe(false)
    await until('its end', async () => !(await hasTool()))
    await card(lab, 'work').getByText('Not in use').waitFor()
    await card(lab, 'work').getByRole('switch').click()
    await seen(() => card(lab, 'work').getByRole('switch').isChecked()).toBe(true)
    await until('its return', hasTool)
  })

  test('appears without a reload when another console adds it', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.sees('No servers yet')
    await using other = await openConsoleProcess({ args: ['--agent', lab.file], stateDir: lab.stateDir, env: lab.model.env })
    await other.ask('POST', '/api/servers', { confirmed: true, name: 'elsewhere', entry: { type: 'stdio', command: 'true' } })
    await seen(() => card(lab, 'elsewhere').isVisible()).toBe(true)
  })
})

describe('import', () => {
  const mark = (dir: string) => join(dir, 'was-started')
  const command = (dir: string) => ({ command: '/usr/bin/touch', args: [mark(dir)] })
  const settings = {
    'Claude and others': (dir: string) =>
      JSON.stringify({ mcpServers: { one: { ...command(dir), env: { API_KEY: 'hush-hush-hush' } }, taken: command(dir) } }),
    'VS Code': (dir: string) =>
      `{ // what VS Code writes\n"servers": { "one": ${JSON.stringify({ type: 'stdio', ...command(dir), env: { API_KEY: `\${input:key}` } })}, "taken": ${JSON.stringify(command(dir))} },\n"inputs": [{ "id": "key", "type": "promptString", "description": "The key", "password": true }], }`,
    Zed: (dir: string) =>
      `{ "theme": "One Dark", // comments and all\n"context_servers": { "one": ${JSON.stringify({ ...command(dir), env: { API_KEY: 'hush-hush-hush' } })}, "taken": ${JSON.stringify(command(dir))} } }`,
  }

  for (const [from, write] of Object.entries(settings)) {
    test(`from ${from}: a preview that starts nothing, then the selected servers`, async () => {
      await using lab = await openConsoleLab({ file })
      await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'taken', entry: { type: 'stdio', command: 'true' } })
      await lab.go('/servers')
      await lab.press('Import')
      await lab.inDialog('textbox', /paste settings here/).fill(write(lab.path))
      await lab.inDialog('button', 'Preview').click()
      const found = lab.inDialog('list', 'Servers to import').getByRole('listitem')
      await seen(() => found.count()).toBe(2)
      const texts = await found.allTextContents()
      expect(texts[0]).toContain(`/usr/bin/touch ${mark(lab.path)}`)
      expect(texts[1]).toContain('Name already in use')
      expect(texts.join()).not.toContain('hush')
      expect(await lab.inDialog('checkbox', /^taken/).isDisabled()).toBe(true)
      expect((await lab.console.ask('GET', '/api/servers')).json.servers).toHaveLength(1)

      await lab.inDialog('button', 'Import 1 server').click()
      await card(lab, 'one').waitFor()
      expect(await lab.page.content()).not.toContain('hush')
      // Neither the preview nor the import started it.
      expect(await processesWithArgument(mark(lab.path))).toEqual([])
      await expect(readFile(mark(lab.path))).rejects.toThrow('ENOENT')
    })
  }

  test('takes a file, and reports what it cannot read', async () => {
    await using dir = await openTempDir()
    await using lab = await openConsoleLab({ file })
    const [good, bad] = [join(dir.path, 'mcp.json'), join(dir.path, 'notes.txt')]
    await writeFile(good, settings.Zed(dir.path))
    await writeFile(bad, 'no settings at all')
    await lab.go('/servers')
    await lab.press('Import')
    await lab.page.getByLabel('File').setInputFiles(bad)
    await lab.inDialog('alert').waitFor()
    await lab.page.getByLabel('File').setInputFiles(good)
    await lab.inDialog('button', 'Import 2 servers').click()
    await seen(() => card(lab, 'one').isVisible()).toBe(true)
  })

  test('an export can be read by others, without secrets', async () => {
    await using lab = await openConsoleLab({ file })
    const entry = { type: 'stdio', command: 'notes-server', args: ['--all'], env: { API_KEY: 'hush-hush-hush' } }
    await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'notes', entry })
    await lab.go('/servers')
    const [download] = await Promise.all([lab.page.waitForEvent('download'), lab.get('link', 'Export').click()])
    expect(download.suggestedFilename()).toMatch(/servers\.json$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ mcpServers: { notes: { command: 'notes-server', args: ['--all'] } } })
    expect(text).not.toContain('hush')
  })
})

describe('the login', () => {
  test('the printed address admits one browser, once, and leaves no token behind', async () => {
    await using console = await openConsoleProcess({ isLeftClosed: true })
    await using first = await openConsolePage(console)
    await first.page.goto(console.url)
    await first.sees('No servers yet')
    expect(first.page.url()).toBe(`${console.origin}/`)
    expect(await first.page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).not.toMatch(/ostler-console|[\w-]{43}/)
    await using second = await openConsolePage(console)
    const answer = await second.page.goto(console.url, { timeout: waitMsMax })
    expect(answer?.status()).toBe(401)
    await second.sees('ostler console')
    await second.get('main').waitFor()
    // A page of the app for the person who is in.
    expect((await first.page.goto(`${console.origin}/nope/nowhere`))?.status()).toBe(404)
    await first.sees('Page not found')
    await first.get('link', 'Go to Servers').click()
    await first.sees('No servers yet')
  })
})
