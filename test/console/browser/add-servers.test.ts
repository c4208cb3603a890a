import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { startLoginServer } from '../../support/login-lab.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { processesWithArgument } from '../../support/processes.ts'
import { openTempDir } from '../../support/temp-dir.ts'
import { openConsole } from '../console-process.ts'
import { openConsolePage, seen, waitMsMax } from '../support/browser.ts'
import { openConsoleLab, openSession } from '../support/console-lab.ts'
import { card, keepsTyped } from '../support/server-dialogs.ts'

const wholeServer = fixtureServer('whole-server.mjs')
const file = 'approval: { mode: auto }\n'

/** A web server of this test that answers with JSON. */
async function serveJson(answer: (path: string) => unknown) {
  const server = createServer((request, response) =>
    response.end(JSON.stringify(answer(request.url ?? ''))),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('add in a few clicks', () => {
  const box = 'Command line, URL or JSON'

  test('a command line: three clicks from the start page to its tools', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.go('/')
    await lab.page.evaluate(
      `globalThis.__clicks = 0; addEventListener('click', () => globalThis.__clicks++, true)`,
    )
    await lab.press('Add server')
    const line = `MODE=fast '${process.execPath}' ${wholeServer} stdio 'in ${lab.path}'`
    await lab.inDialog('textbox', box).fill(line)
    const shown = lab.inDialog('textbox', 'Name (required)')
    await shown.waitFor()
    expect(await lab.inDialog('textbox', 'Name (required)').inputValue()).toBe('whole')
    expect(await lab.get('dialog').locator('pre').textContent()).toBe(
      `MODE=fast ${process.execPath} ${wholeServer} stdio 'in ${lab.path}'`,
    )
    await lab.inDialog('button', 'Add and connect').click()
    const question = lab.get('dialog', 'Run this command?')
    await question.waitFor()
    expect(await processesWithArgument(`in ${lab.path}`)).toEqual([])
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
    await lab.inDialog('button', 'Run and connect').click()
    await lab.sees('Adds two numbers')
    expect(lab.page.url()).toContain('/servers/')
    expect(await lab.page.evaluate('globalThis.__clicks')).toBe(3)
    expect(await lab.get('dialog').count()).toBe(0)
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([
      { name: 'whole', status: { state: 'connected' } },
    ])
  })

  test('settings with a gap: the value is asked for, hidden, and kept as a secret', async () => {
    await using lab = await openConsoleLab({ file })
    await lab.console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'local',
      entry: { type: 'stdio', command: 'true' },
    })
    await lab.go('/servers')
    await lab.press('Add server')
    const program = "console.error('NOTES_TOKEN is not set'); process.exit(1)"
    const entry = {
      command: process.execPath,
      args: ['-e', program, '<mode>'],
      env: { API_TOKEN: 'YOUR_TOKEN' },
    }
    await lab.inDialog('textbox', box).fill('a | b')
    await lab.inDialog('alert').getByText('needs a shell').waitFor()
    await lab.inDialog('textbox', box).fill(JSON.stringify({ mcpServers: { local: entry } }))
    await lab.page.getByLabel('API_TOKEN').waitFor()
    expect(await lab.page.getByLabel('API_TOKEN').getAttribute('type')).toBe('password')
    // Its name is taken, so it gets another one.
    expect(await lab.inDialog('textbox', 'Name (required)').inputValue()).toBe('local-2')
    await lab.inDialog('button', 'Add and connect').click()
    await lab.inDialog('alert').getByText('Enter the required values.').waitFor()
    await lab.page.getByLabel('API_TOKEN').fill('hush-hush-hush')
    await lab.inDialog('textbox', 'mode (required)').fill('slow')
    await keepsTyped(lab)
    await lab.inDialog('button', 'Add and connect').click()
    const shown = await lab.get('dialog', 'Run this command?').locator('pre').textContent()
    expect(shown).toMatch(/^API_TOKEN=\[redacted\] .* slow$/)
    await lab.inDialog('button', 'Run and connect').click()

    // It ends, and its output names a variable, for which the dialog asks.
    await lab.sees('local-2 is saved, but it is not connected.')
    await lab.page.getByLabel('NOTES_TOKEN').fill('hush-hush-too')
    await keepsTyped(lab)
    await lab.inDialog('button', 'Save and connect').click()
    await lab.inDialog('button', 'Run and connect').click()
    const variables = async () => (await lab.console.ask('GET', '/api/servers')).json.servers[1].entry.env
    await seen(variables).toEqual({
      API_TOKEN: '${secret:env.API_TOKEN}',
      NOTES_TOKEN: '${secret:env.NOTES_TOKEN}',
    })
    // The page connects again, and asks anew.
    await seen(() => lab.page.getByLabel('NOTES_TOKEN').inputValue()).toBe('')
    await lab.sees('local-2 is saved, but it is not connected.')
    expect(await lab.page.content()).not.toContain('hush')
    await lab.inDialog('button', 'Edit settings').click()
    await lab.get('dialog', 'Edit local-2').waitFor()
    await lab.inDialog('textbox', 'Arguments').fill(`${wholeServer}\nstdio`)
    await lab.inDialog('button', 'Save').click()
    await lab.inDialog('button', 'Save and run').click()
    await lab.get('dialog').waitFor({ state: 'detached' })
    // The form had what was saved before it.
    expect(Object.keys(await variables())).toEqual(['API_TOKEN', 'NOTES_TOKEN'])
    await card(lab, 'local-2').getByText('2 secrets').waitFor()
  })

  test('a wrong address is removed where it was added', async () => {
    await using server = await startLoginServer()
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.press('Add server')
    await lab.inDialog('textbox', box).fill(`${server.url}/wrong`)
    await lab.inDialog('textbox', 'Name (required)').fill('wrong')
    await lab.inDialog('button', 'Add and connect').click()
    await lab.sees('wrong is saved, but it is not connected.')
    await lab
      .inDialog('alert')
      .getByText(/HTTP 404.* Does the path end in \/mcp\?/)
      .waitFor()
    await lab.inDialog('button', 'Remove').click()
    await lab.get('dialog', 'Remove wrong?').getByRole('button', { name: 'Remove' }).click()
    await lab.get('dialog').waitFor({ state: 'detached' })
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toEqual([])
  })

  test('a URL that needs a login: log in and land on its tools, or enter a key', async () => {
    await using server = await startLoginServer()
    await using lab = await openConsoleLab({ file })
    await lab.go('/servers')
    await lab.press('Add server')
    await lab.inDialog('textbox', box).fill(server.mcp)
    await lab.inDialog('button', 'Add and connect').click()
    await lab.inDialog('combobox', 'Send it as').selectOption('Custom header')
    await lab.inDialog('textbox', 'Header name').waitFor()
    await lab.inDialog('button', 'Log in').click()
    const link = lab.inDialog('link', `Open ${new URL(server.mcp).host}`)
    await link.waitFor()
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    // A browser of its own, because the page of the console must not leave its origin.
    expect(await (await fetch((await link.getAttribute('href'))!)).text()).toContain('Thank you')
    await lab.get('dialog').waitFor({ state: 'detached' })
    await lab.sees('1 tool')
    expect(lab.page.url()).toContain('/servers/')
    const { json } = await lab.console.ask('GET', '/api/calls')
    expect(json.calls.map(({ tool }: { tool: string }) => tool)).toContain('console:log-in')
  })

  test('a server that an agent cannot connect: log in or give what it lacks, on its card and on its page', async () => {
    await using server = await startLoginServer()
    await using lab = await openConsoleLab({ file })
    const program = `if (process.env.NOTES_TOKEN === undefined) { console.error('NOTES_TOKEN is not set'); process.exit(1) }
      process.argv.splice(1, 0, '${wholeServer}'); await import('${wholeServer}')`
    const entries = {
      remote: { type: 'http', url: server.mcp, retryAttempts: 0 },
      notes: {
        type: 'stdio',
        command: process.execPath,
        args: ['--input-type=module', '-e', program, 'stdio'],
        retryAttempts: 0,
      },
    }
    for (const [name, entry] of Object.entries(entries))
      await lab.console.ask('POST', '/api/servers', { confirmed: true, name, entry })
    await using editor = lab.edit()
    await openSession(editor, lab)
    const logIn = async (path: string) => {
      const link = lab.inDialog('link', `Open ${new URL(server.mcp).host}`)
      await lab.inDialog('button', 'Log in').click()
      expect(await (await fetch((await link.getAttribute('href'))!)).text()).toContain('Thank you')
      await lab.get('dialog').waitFor({ state: 'detached' })
      expect(new URL(lab.page.url()).pathname).toBe(path)
    }

    await lab.go('/servers')
    await card(lab, 'remote').getByText('Needs login in 1 agent').waitFor()
    expect(await card(lab, 'remote').textContent()).not.toMatch(/ostler mcp login|It needs a login/)
    await card(lab, 'remote').getByRole('button', { name: 'Log in' }).click()
    await logIn('/servers')
    await card(lab, 'remote').getByText('In use by 1 agent').waitFor()
    await card(lab, 'remote').getByText('Connected', { exact: true }).waitFor()

    await server.control('forget')
    await lab.get('link', 'remote').click()
    await lab.press('Disconnect')
    await lab.get('region', 'State').getByRole('button', { name: 'Connect', exact: true }).click()
    await lab.get('region', 'State').getByRole('button', { name: 'Log in' }).click()
    await logIn('/servers/remote')
    await lab.sees('1 tool')

    await lab.go('/servers/notes')
    await lab.get('region', 'State').getByText('Error in 1 agent').waitFor()
    await lab.press('Enter variables')
    await lab.page.getByLabel('NOTES_TOKEN').fill('hush-hush-hush')
    await lab.inDialog('button', 'Save and connect').click()
    await lab.inDialog('button', 'Run and connect').click()
    await lab.sees('Adds two numbers')
    await lab.get('region', 'State').getByText('In use by 1 agent').waitFor()
    expect(await lab.get('button', 'Enter variables').count()).toBe(0)
  })

  test('servers of the other programs on this computer', async () => {
    await using home = await openTempDir()
    const command = { command: process.execPath, args: [wholeServer, 'stdio', `in ${home.path}`] }
    const write = async (path: string, content: string) => {
      await mkdir(dirname(join(home.path, path)), { recursive: true })
      await writeFile(join(home.path, path), content)
    }
    await write(
      '.claude.json',
      JSON.stringify({
        mcpServers: {
          first: { ...command, env: { API_KEY: 'hush-hush-hush' } },
          second: { command: 'true' },
        },
      }),
    )
    await write('.codex/config.toml', `[mcp_servers.third]\ncommand = "true"\n`)
    await write('.cursor/mcp.json', '{ broken')
    await using lab = await openConsoleLab({
      file,
      env: { HOME: home.path, XDG_CONFIG_HOME: join(home.path, '.config') },
    })
    await lab.go('/servers')
    await lab.press('Add server')
    await lab.sees('Found on this computer')
    await lab.get('dialog').locator('summary', { hasText: 'Claude Code' }).click()
    const found = lab.inDialog('list', 'Servers: Claude Code').getByRole('listitem')
    expect(await found.count()).toBe(2)
    expect(await found.first().textContent()).toContain(`${wholeServer} stdio 'in ${home.path}'`)
    expect(await lab.page.content()).not.toContain('hush')
    await lab.get('dialog').locator('summary', { hasText: 'Codex' }).click()
    await lab.inDialog('button', 'Add and connect third').waitFor()
    await lab.get('dialog').locator('summary', { hasText: 'Cursor' }).click()
    await lab.sees(/cannot be imported/)
    await lab.inDialog('button', 'Add and connect first').click()
    expect(await processesWithArgument(`in ${home.path}`)).toEqual([])
    await lab.inDialog('button', 'Run and connect').click()
    await lab.sees('Adds two numbers')
    expect((await lab.console.ask('GET', '/api/servers')).json.servers).toMatchObject([
      { name: 'first', secrets: [{ name: 'env.API_KEY' }] },
    ])

    // A registry is asked when the button is pressed, and not before.
    await using server = await startHttpFixture('whole-server.mjs', 'http')
    const headers = [
      {
        name: 'X-Team',
        value: '{team}',
        variables: { team: { isRequired: true, choices: ['red', 'blue'] } },
      },
    ]
    const weather = {
      name: 'io.example/weather',
      version: '1.0.0',
      description: 'Weather of anywhere',
      remotes: [{ type: 'streamable-http', url: server.url, headers }],
    }
    const asked: string[] = []
    await using registry = await serveJson((path) => {
      asked.push(path)
      return { servers: [{ server: weather }], metadata: {} }
    })
    await lab.go('/servers')
    await lab.press('Add server')
    await lab.get('dialog').locator('summary', { hasText: 'Search a registry' }).click()
    await lab.inDialog('textbox', 'Search for').fill('weather')
    await lab.inDialog('textbox', 'Registry').fill(registry.origin)
    expect(asked).toEqual([])
    await lab.inDialog('button', 'Search').click()
    await lab.sees('Weather of anywhere')
    expect(asked).toEqual([expect.stringContaining('search=weather')])
    await lab.inDialog('combobox', /^team/).selectOption('blue')
    await lab.inDialog('button', /^Add and connect io.example/).click()
    await lab.sees('Adds two numbers')
    expect((await lab.console.ask('GET', '/api/servers')).json.servers[1]).toMatchObject({
      name: 'weather',
      entry: { headers: { 'X-Team': 'blue' } },
    })
    expect(asked).toHaveLength(1)
  })
})

describe('import', () => {
  const mark = (dir: string) => join(dir, 'was-started')
  const command = (dir: string) => ({ command: '/usr/bin/touch', args: [mark(dir)] })
  const settings = {
    'Claude and others': (dir: string) =>
      JSON.stringify({
        mcpServers: {
          one: { ...command(dir), env: { API_KEY: 'hush-hush-hush' } },
          two: { command: 'true' },
          taken: command(dir),
        },
      }),
    'VS Code': (dir: string) =>
      `{ // what VS Code writes\n"servers": { "one": ${JSON.stringify({ type: 'stdio', ...command(dir), env: { API_KEY: `\${input:key}` } })}, "two": { "command": "true" }, "taken": ${JSON.stringify(command(dir))} },\n"inputs": [{ "id": "key", "type": "promptString", "description": "The key", "password": true }], }`,
  }

  for (const [from, write] of Object.entries(settings)) {
    test(`from ${from}: all are shown, and added without being started`, async () => {
      await using lab = await openConsoleLab({ file })
      await lab.console.ask('POST', '/api/servers', {
        confirmed: true,
        name: 'taken',
        entry: { type: 'stdio', command: 'true' },
      })
      await lab.go('/servers')
      await lab.press('Add server')
      await lab.inDialog('textbox', 'Command line, URL or JSON').fill(write(lab.path))
      const found = lab.inDialog('list', /^Servers: \d+ servers found/).getByRole('listitem')
      await seen(() => found.count()).toBe(3)
      const texts = await found.allTextContents()
      expect(texts[0]).toContain(`/usr/bin/touch ${mark(lab.path)}`)
      expect(texts[2]).toContain('Name already in use')
      expect(texts.join()).not.toContain('hush')
      expect((await lab.console.ask('GET', '/api/servers')).json.servers).toHaveLength(1)

      // A server that asks for a value is added on its own.
      const isAsked = from === 'VS Code'
      expect(await lab.page.getByLabel('The key').count()).toBe(isAsked ? 1 : 0)
      // Running agents start what is added, so the commands are confirmed first.
      const add = () => lab.inDialog('button', isAsked ? 'Add 1 server' : 'Add 2 servers').click()
      await add()
      const commands = lab.get('dialog').last().locator('.command')
      await seen(() => commands.count()).toBe(isAsked ? 1 : 2)
      if (!isAsked) expect(await commands.first().textContent()).toContain(`/usr/bin/touch ${mark(lab.path)}`)
      await lab.inDialog('button', 'Cancel').click()
      await seen(() => lab.get('dialog').count()).toBe(1)
      expect((await lab.console.ask('GET', '/api/servers')).json.servers).toHaveLength(1)
      // To decline is no failure.
      expect(await lab.page.getByRole('alert').count()).toBe(0)
      await add()
      await lab.inDialog('button', 'Add').click()
      await card(lab, 'two').waitFor()
      expect(await card(lab, 'one').count()).toBe(isAsked ? 0 : 1)
      await lab.get('dialog').waitFor({ state: 'detached' })
      expect(await lab.page.content()).not.toContain('hush')
      // Neither the preview nor the import started it.
      expect(await processesWithArgument(mark(lab.path))).toEqual([])
      await expect(readFile(mark(lab.path))).rejects.toThrow('ENOENT')
    })
  }

  test('takes a file, and reports what it cannot read', async () => {
    await using dir = await openTempDir()
    await using lab = await openConsoleLab({ file })
    const [good, bad] = [join(dir.path, 'mcp.json'), join(dir.path, 'notes.json')]
    const ofZed = `{ "theme": "One Dark", // comments and all
      "context_servers": { "one": ${JSON.stringify(command(dir.path))}, "two": { "command": "true" }, "three": { "command": "false" } } }`
    await writeFile(good, ofZed)
    await writeFile(bad, '{ no settings at all')
    await lab.go('/servers')
    await lab.press('Add server')
    await lab.page.getByLabel('Or choose a settings file or server.json').setInputFiles(bad)
    await lab.inDialog('alert').getByText('not JSON').waitFor()
    await lab.inDialog('textbox', 'Command line, URL or JSON').fill('')
    await lab.page.getByLabel('Or choose a settings file or server.json').setInputFiles(good)
    await lab.inDialog('button', 'Add all 3 servers').click()
    await lab.get('dialog', 'Run these commands?').getByText('true', { exact: true }).waitFor()
    await lab.inDialog('button', 'Add').click()
    await seen(() => card(lab, 'one').isVisible()).toBe(true)
  })
})

describe('the login', () => {
  test('the printed address admits one browser, once, and leaves no token behind', async () => {
    await using console = await openConsole({ isLeftClosed: true })
    await using first = await openConsolePage(console)
    await first.page.goto(console.url)
    await first.sees('No servers yet')
    expect(first.page.url()).toBe(`${console.origin}/`)
    expect(await first.page.evaluate('document.cookie')).toBe('')
    expect(await first.page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(
      new URL(console.url).searchParams.get('token'),
    )
    await using second = await openConsolePage(console)
    await second.page.goto(console.url, { timeout: waitMsMax })
    await second.sees('This page has no access to the console')
    await second.page.goto(`${console.origin}/servers`)
    await second.sees('This page has no access to the console')
    expect(await second.get('navigation').count()).toBe(0)
    // The browser that is in may open the address again, reload, go back, and open a link in a new tab.
    await first.page.goto(console.url)
    await first.sees('No servers yet')
    await first.get('link', 'Calls').click()
    await first.page.reload()
    await first.sees('No calls yet')
    await first.page.goBack()
    await first.sees('No servers yet')
    const [tab] = await Promise.all([
      first.context.waitForEvent('page'),
      first.get('link', 'Sessions').click({ modifiers: ['ControlOrMeta'] }),
    ])
    await tab.getByText('No sessions yet').waitFor()
    expect(await tab.getByRole('list', { name: 'Sessions' }).count()).toBe(0)
    await tab.close()
    // A page of the app for the person who is in.
    expect((await first.page.goto(`${console.origin}/nope/nowhere`))?.status()).toBe(404)
    await first.sees('Page not found')
    await first.get('link', 'Go to Servers').click()
    await first.sees('No servers yet')
  })

  test('a page whose console has ended is grey and says so, and works again once the next one is open in this browser', async () => {
    await using old = await openConsole()
    await using lost = await openConsolePage(old)
    await lost.go('/servers')
    await lost.sees('No servers yet')
    const look = () => lost.page.evaluate<string>(`getComputedStyle(document.querySelector('main')).filter`)
    expect(await look()).toBe('none')
    await old[Symbol.asyncDispose]()
    await lost.get('status').getByText('Connection to the console lost').waitFor()
    expect(await look()).toBe('grayscale(1)')

    await using next = await openConsole({ args: ['--port', String(old.port)], isLeftClosed: true })
    await lost
      .get('status')
      .getByText('This page has no access to the console. Open the console again')
      .waitFor()
    const tab = await lost.context.newPage()
    await tab.goto(next.url)
    await tab.getByText('No servers yet').waitFor()
    await lost.get('status').getByText('This page has no access').waitFor({ state: 'detached' })
    expect(await look()).toBe('none')
  })
})
