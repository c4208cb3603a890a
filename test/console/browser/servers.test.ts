import { expect, describe, inject, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { processesWithArgument, until } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { openConsole } from '../console-process.ts'
import { seen, type ConsolePage } from '../support/browser.ts'
import { offeredTools, openConsoleLab, openSession } from '../support/console-lab.ts'
import { card, keepsTyped } from '../support/server-dialogs.ts'

const wholeServer = fixtureServer('whole-server.mjs')
const nameField = 'Name (required)'
const file = 'approval: { mode: auto }\n'

async function fillCommand(
  { inDialog }: Pick<ConsolePage, 'inDialog'>,
  server: string,
  ...args: string[]
): Promise<void> {
  await inDialog('textbox', nameField).fill(server)
  await inDialog('textbox', /^Command/).fill(process.execPath)
  await inDialog('textbox', 'Arguments').fill(args.join('\n'))
}

async function openForm({ press, inDialog }: Pick<ConsolePage, 'press' | 'inDialog'>): Promise<void> {
  await press('Add server')
  await inDialog('button', 'Fill in a form').click()
}

test.skipIf(inject('fenceProblem') !== undefined)('the card of a server says what holds it', async () => {
  await using dir = await openTempDir()
  const args = [wholeServer, 'stdio']
  const server = { command: process.execPath, args, cwd: dir.path, sandbox: 'on' }
  await using lab = await openConsoleLab({ file: `mcpServers: ${JSON.stringify({ held: server })}\n` })
  await lab.go('/servers')
  await card(lab, 'held').getByRole('button', { name: 'Connect' }).click()
  await lab.inDialog('button', 'Run and connect').click()
  const held = card(lab, 'held').getByText('Runs in a sandbox')
  await held.waitFor()
  expect(await held.textContent()).toContain('(bubblewrap): it has no network')
})

describe('add a server', () => {
  test('over stdio: nothing runs before a person has seen the whole command line and consented', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await openForm(lab)
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
    // To decline is no failure.
    expect(await lab.page.getByRole('alert').count()).toBe(0)

    // The focus returns, which may scroll: a click at the same moment would miss the button.
    await lab.page.locator('button:focus', { hasText: 'Test connection' }).waitFor()
    await lab.inDialog('button', 'Test connection').click()
    await lab.inDialog('button', 'Run and test').click()
    await lab.inDialog('list', 'Discovered tools').waitFor()
    // A test leaves nothing running and stores nothing.
    await until('its end', async () => (await started()).length === 0)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
    // The same command was confirmed before.
    await lab.inDialog('button', 'Save').click()
    await lab.page.waitForURL('**/servers/local')
    await lab.get('link', 'All servers').click()
    await card(lab, 'local').getByText('1 secret').waitFor()
    expect(await lab.page.content()).not.toContain('hush')
    await card(lab, 'local').getByText('Connected', { exact: true }).waitFor()
    await card(lab, 'local').getByText('6 tools').waitFor()
    await card(lab, 'local').getByRole('button', { name: 'Disconnect' }).click()
    await card(lab, 'local').getByText('Disconnected', { exact: true }).waitFor()
  })

  test('other settings are JSON; what is wrong with them is said beside them', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await openForm(lab)
    await fillCommand(lab, 'local', wholeServer, 'stdio')
    await lab.get('dialog').locator('summary', { hasText: 'Other settings' }).click()
    const settings = lab.inDialog('textbox', /^Other settings/)
    await settings.fill('[1]')
    await settings.blur()
    await lab.sees('Write a JSON object.')
    await settings.fill('{ "timeout": "soon", "defaultToolConfig": { "approval": "deny" } }')
    await lab.sees(/^timeout: /)
    expect(await lab.page.getByText('Write a JSON object.').count()).toBe(0)
    await settings.fill('{ "timeout": "7s", "defaultToolConfig": { "approval": "deny" } }')
    await lab.inDialog('button', 'Save').click()
    await lab.inDialog('button', 'Save and run').click()
    await lab.page.waitForURL('**/servers/local')
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([
      { entry: { mode: 'dynamic', timeout: '7s', defaultToolConfig: { approval: 'deny' } } },
    ])
  })

  test('an agent that runs starts it only after the person has seen the command, and is asked once', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.offer('work', ['alpha'])
    await using editor = lab.edit()
    const sessionId = await openSession(editor, lab)
    const { args } = lab.command('work')
    await lab.go('/servers')
    await openForm(lab)
    await seen(() => lab.inDialog('textbox', nameField).evaluate((field) => field.matches(':focus'))).toBe(
      true,
    )
    await lab.inDialog('textbox', nameField).fill('work')
    // A line as documentation prints it.
    await lab
      .inDialog('textbox', /^Command/)
      .fill(`GREETING='good day' "${process.execPath}" ${args.join(' ')}`)
    await lab.inDialog('button', 'Split it').click()
    expect(await lab.inDialog('textbox', 'Arguments').inputValue()).toBe(args.join('\n'))
    expect(await lab.page.getByLabel('Value of variable 1').inputValue()).toBe('good day')
    await keepsTyped(lab)
    await lab.inDialog('button', 'Save').click()
    const question = lab.get('dialog', 'Run this command?')
    expect(await question.locator('pre').textContent()).toBe(
      `'GREETING=good day' ${process.execPath} ${args.join(' ')}`,
    )
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
    await lab.inDialog('button', 'Save and run').click()
    await lab.page.waitForURL('**/servers/work')
    await until(
      'the tool',
      async () => (await editor.prompt(sessionId, 'go')) && offeredTools(lab).includes('work__alpha'),
    )
    await lab.get('link', 'All servers').click()
    await lab.get('searchbox', 'Search servers').fill('changing-server')
    await card(lab, 'work').getByText('Connected', { exact: true }).waitFor()
    await card(lab, 'work').getByText('1 tool').waitFor()

    // The connection of the console survives a change of the agent file.
    const { settings, version } = (await lab.console.ask('GET', '/api/agent')).json
    const changed = { ...settings, toolbox: { ...settings.toolbox, maxConcurrent: 11 } }
    expect((await lab.console.ask('PUT', '/api/agent', { settings: changed, version })).status).toBe(200)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers[0].status.state).toBe('connected')
    // The agent has a process, and so does the console.
    expect(await processesWithArgument(args[1]!)).toHaveLength(2)
  })

  test("a failed connection shows the reason and the server's last output", async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await openForm(lab)
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
    await openForm(lab)
    const errorOf = async (field: ReturnType<typeof lab.get>) => {
      const id = (await field.getAttribute('aria-describedby'))?.split(' ').at(-1)
      return id === undefined ? null : lab.page.locator(`[id="${id}"]`).textContent()
    }
    // No field has been visited yet.
    expect(await lab.get('dialog').locator('[aria-invalid=true]').count()).toBe(0)
    await lab.inDialog('button', 'Save').click()
    await lab.page.locator('[aria-invalid=true]:focus').waitFor()
    for (const field of [nameField, 'Command (required)'])
      expect([field, await errorOf(lab.inDialog('textbox', field))]).toEqual([field, 'Required.'])
    expect(await lab.inDialog('textbox', nameField).evaluate((field) => field.matches(':focus'))).toBe(true)
    // The fields show all problems.
    expect(await lab.inDialog('alert').count()).toBe(0)

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
  await openForm(lab)
  await lab.inDialog('radio', 'HTTP').check()
  const validated = lab.page.waitForResponse(
    (response) => response.request().postData()?.includes('192.168.0.1') === true,
  )
  await lab.inDialog('textbox', /^URL/).fill('http://192.168.0.1/')
  await validated
  const checkbox = lab.inDialog('checkbox', 'Allow unencrypted HTTP')
  await checkbox.scrollIntoViewIfNeeded()
  const before = (await checkbox.boundingBox())!
  await lab.page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await lab.page.mouse.down()
  await lab.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await checkbox.boundingBox()).toEqual(before)
  expect(await lab.inDialog('textbox', /^URL/).getAttribute('aria-invalid')).not.toBe('true')
  await lab.page.mouse.up()
  await seen(() => checkbox.isChecked()).toBe(true)
})

test('an address of a private network must be confirmed', async () => {
  await using lab = await openConsoleLab({ file })
  await lab.go('/servers')
  await openForm(lab)
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
      return (JSON.parse(text.trim().split('\n').at(-1)!) as { result: { content: { text: string }[] } })
        .result.content[0]?.text
    }
    expect(await told('length', 'API_TOKEN')).toBe('14')
    expect(await told('variable', 'PLAIN')).toBe('y')

    await card(lab, 'local').getByRole('button', { name: 'Clone' }).click()
    await lab.sees('Secrets are not copied: env.API_TOKEN.')
    expect(await lab.inDialog('textbox', nameField).inputValue()).toBe('local-copy')
    await lab.inDialog('button', 'Save').click()
    await lab.inDialog('button', 'Save and run').click()
    await lab.page.waitForURL('**/servers/local-copy')
    await lab.get('link', 'All servers').click()

    await card(lab, 'local').getByRole('button', { name: 'Remove' }).click()
    await lab.inDialog('button', 'Cancel').click()
    expect(await card(lab, 'local').count()).toBe(1)
    await card(lab, 'local').getByRole('button', { name: 'Remove' }).click()
    await lab.inDialog('button', 'Remove').click()
    await card(lab, 'local').waitFor({ state: 'detached' })
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([
      { name: 'local-copy' },
    ])
  })

  test('is removed from a running agent when disabled, and returns when enabled', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.offer('work', ['alpha'])
    await lab.console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'work',
      entry: { type: 'stdio', ...lab.command('work') },
    })
    await using editor = lab.edit()
    const sessionId = await openSession(editor, lab)
    const hasTool = async () =>
      (await editor.prompt(sessionId, 'go')) && offeredTools(lab).includes('work__alpha')
    await until('the tool', hasTool)
    await lab.go('/servers')
    await card(lab, 'work').getByText('In use by 1 agent').waitFor()
    await card(lab, 'work').getByText('1 tool').waitFor()
    expect(await card(lab, 'work').textContent()).toContain('This console: Disconnected')
    await card(lab, 'work').getByRole('switch').click()
    await seen(() => card(lab, 'work').getByRole('switch').isChecked()).toBe(false)
    await until('its end', async () => !(await hasTool()))
    await card(lab, 'work').getByText('No running agent uses it').waitFor()
    await card(lab, 'work').getByRole('switch').click()
    await seen(() => card(lab, 'work').getByRole('switch').isChecked()).toBe(true)
    await until('its return', hasTool)
  })

  test('appears without a reload when another console adds it', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.sees('No servers yet')
    await using other = await openConsole({
      args: ['--agent', lab.file],
      stateDir: lab.stateDir,
      env: lab.model.env,
    })
    await other.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'elsewhere',
      entry: { type: 'stdio', command: 'true' },
    })
    await seen(() => card(lab, 'elsewhere').isVisible()).toBe(true)

    // A server with an error comes first.
    const failing = {
      type: 'stdio',
      command: process.execPath,
      args: ['-e', 'process.exit(3)'],
      retryAttempts: 0,
    }
    const { json } = await lab.console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'failing',
      entry: failing,
    })
    const names = () => lab.page.locator('article.server h3').allTextContents()
    await seen(names).toEqual(['elsewhere', 'failing'])
    expect(
      (await lab.console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })).status,
    ).not.toBe(200)
    await seen(names).toEqual(['failing', 'elsewhere'])
    await card(lab, 'failing').getByText('The server exited with code 3', { exact: false }).waitFor()
  })
})
