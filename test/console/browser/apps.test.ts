import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { keyOf, openConsole, type OpenConsole } from '../console-process.ts'
import { openBeacon } from '../support/beacon.ts'
import { openBrowser, seen, waitMsMax } from '../support/browser.ts'
import { callOnce, openConsoleLab, openSession } from '../support/console-lab.ts'
import { problemsInViews } from '../support/look-at-page.ts'

async function addServer(console: OpenConsole, beacon: string, isConnected = true): Promise<string> {
  const entry = {
    type: 'stdio',
    command: process.execPath,
    args: [fixtureServer('app-server.mjs'), beacon],
    enabled: isConnected,
  }
  const { json } = await console.ask('POST', '/api/servers', {
    confirmed: isConnected,
    name: 'stable',
    entry,
  })
  if (isConnected) await console.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  return json.id
}

/** Counts what WebRTC sends. */
async function countDatagrams(port: number): Promise<{ count(): number } & AsyncDisposable> {
  let count = 0
  const socket = createSocket('udp4', () => count++)
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    count: () => count,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** A console with the server of hostile apps, in a browser where they may cause errors. */
async function openHostileLab() {
  await using opened = new AsyncDisposableStack()
  const console = opened.use(await openConsole())
  const beacon = opened.use(await openBeacon())
  const id = await addServer(console, beacon.origin)
  const browser = await openBrowser()
  const context = opened.use(await browser.newContext({ storageState: keyOf(console) }))
  context.setDefaultTimeout(waitMsMax)
  const all = opened.move()
  return {
    console,
    beacon,
    context,
    addressOf: (app: string) => `${console.origin}/app?server=${id}&uri=ui://stable/${app}`,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const result = {
  content: [{ type: 'text', text: '3 bales' }],
  structuredContent: { bales: 3 },
  isError: false,
}
const refused = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'not supported' } })
/** The app's output after it got the call, and after its own requests were refused. */
const shown = [
  `host: ${JSON.stringify(['ostler', {}])}`,
  `input: ${JSON.stringify({ bales: 3 })}`,
  `result: ${JSON.stringify(result)}`,
  `answer: ${JSON.stringify(refused(2))}`,
  `answer: ${JSON.stringify(refused('three'))}`,
]

test('an app shows the call it was opened for, and can ask for nothing', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: callOnce('stable__hay', { bales: 1 }),
  })
  const stored = await addServer(lab.console, 'http://127.0.0.1:9')
  const said = lab.page.frameLocator('iframe').locator('p')

  await lab.go('/servers/stable?tool=hay')
  await lab.get('textbox', /^bales/).fill('3')
  await lab.press('Run tool')
  await lab.get('region', 'Result').getByRole('link', { name: 'Open the app' }).click()
  await seen(() => said.allTextContents()).toEqual(shown)
  expect(await problemsInViews(lab.page)).toEqual([])
  // The app's own request reached no tool.
  const { calls } = (await lab.console.ask('GET', '/api/calls?server=stable')).json as {
    calls: { id: string; tool: string }[]
  }
  expect(calls.map(({ tool }) => tool)).toEqual(['hay'])

  await lab.get('link', 'The call').click()
  await lab.get('link', 'Open the app').click()
  await seen(() => said.allTextContents()).toEqual(shown)

  // Without a call, it gets none.
  await lab.go('/servers/stable?tool=hay')
  await lab.get('link', 'Open the app').click()
  await seen(() => said.allTextContents()).toEqual(shown.slice(0, 1))

  // A call of the server of this name that an editor brought is not a call of this one.
  await using editor = lab.edit()
  const args = [fixtureServer('app-server.mjs'), 'http://127.0.0.1:9']
  const sessionId = await openSession(editor, lab, [
    { name: 'stable', command: process.execPath, args, env: [] },
  ])
  await editor.prompt(sessionId, 'How much hay?')
  const [other] = (await lab.console.ask('GET', `/api/calls?session=${sessionId}`)).json.calls
  const appOf = async (id: string) => (await lab.console.ask('GET', `/api/calls/${id}/app`)).json
  expect(await appOf(calls[0]!.id)).toEqual({ uri: 'ui://stable/call', server: stored })
  expect(other).toMatchObject({ server: 'stable', tool: 'hay', status: 'success' })
  expect(await appOf(other.id)).toEqual({})
})

test('a result brings its own app, also from a server that is not connected', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: callOnce('stable__own_page', { bales: 3 }),
  })
  await using editor = lab.edit()
  const args = [fixtureServer('app-server.mjs'), 'http://127.0.0.1:9']
  const sessionId = await openSession(editor, lab, [
    { name: 'stable', command: process.execPath, args, env: [] },
  ])
  await editor.prompt(sessionId, 'How much hay?')
  await lab.go('/calls')
  await lab.page.locator('button.call-head').first().click()
  await lab.get('link', 'Open the app').click()
  const said = lab.page.frameLocator('iframe').locator('p')
  await seen(() => said.nth(1).textContent()).toBe(`input: ${JSON.stringify({ bales: 3 })}`)
})

test('a page that is not an app is not shown as one, and a server is not started without consent', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
  await addServer(lab.console, 'http://127.0.0.1:9')
  const open = (uri: string) => lab.go(`/app?${new URLSearchParams({ server: 'stable', uri })}`)
  await lab.go('/servers/stable?tool=no_app')
  await lab.get('heading', 'Try it').waitFor()
  expect(await lab.get('link', 'Open the app').count()).toBe(0)
  await lab.go('/servers/stable/resources')
  await lab.get('link', 'Open the app call').waitFor()
  expect(await lab.get('link', 'Open the app plain').count()).toBe(0)

  await open('ui://stable/plain')
  await lab.sees('The server has no app at this address.')
  await open('ui://stable/large')
  await lab.sees(/The app is larger than/)
  await open('https://example.com/app')
  await lab.sees('This is not the address of an app')
  await lab.go('/app?server=unknown&uri=ui://stable/call')
  await lab.sees('This console does not have the server of this app')
})

test('the app of a server that is not connected is read after its command was confirmed', async () => {
  await using lab = await openConsoleLab()
  await addServer(lab.console, 'http://127.0.0.1:9', false)
  await lab.go('/app?server=stable&uri=ui://stable/call')
  await lab.inDialog('button', 'Cancel').click()
  await lab.sees('The server is not connected.')
  await lab.page.reload()
  await lab.inDialog('button', 'Run and open').click()
  await seen(() => lab.page.frameLocator('iframe').locator('p').allTextContents()).toEqual(shown.slice(0, 1))
})

test('a hostile app reaches nothing, and the console works on', async () => {
  await using lab = await openHostileLab()
  const { beacon, context, addressOf } = lab
  const page = await context.newPage()
  const events: string[] = []
  page.on('dialog', (dialog) => {
    events.push('dialog')
    void dialog.accept()
  })
  page.on('download', () => events.push('download'))
  context.on('page', () => events.push('popup'))
  page.on('response', (response) => {
    const isByApp = response.frame() !== page.mainFrame() && !/\/app-(?:frame|probe)$/.test(response.url())
    if (isByApp && response.ok()) events.push(`read ${response.url()}`)
  })
  const open = (app: string) => page.goto(addressOf(app))

  await open('attack')
  const tried = page.frameLocator('iframe').locator('#tried')
  await tried.waitFor({ state: 'attached' })
  expect(JSON.parse((await tried.textContent()) ?? '')).toEqual({
    fetch: 'blocked',
    'the console': 'blocked',
    // The browser accepts it, and then does not send it.
    beacon: 'done',
    socket: 'blocked',
    image: 'blocked',
    script: 'blocked',
    style: 'blocked',
    module: 'blocked',
    worker: 'blocked',
    parent: 'blocked',
    'location of the parent': 'blocked',
    storage: 'blocked',
    database: 'blocked',
    cookie: 'blocked',
    top: 'blocked',
    popup: 'blocked',
    dialog: 'blocked',
  })
  expect(page.url()).toContain('/app?')

  // It cannot navigate to another site or to the data of the console. The browser shows its own error page instead, or a refusal.
  for (const app of ['leave', 'console']) {
    await open(app)
    const urls = () => page.frames().map((frame) => frame.url())
    await seen(() =>
      urls().some((url) => url.startsWith('chrome-error:') || url.endsWith('/api/servers')),
    ).toBe(true)
  }

  await open('flood')
  await page.getByText('The app was closed, because it sent too many messages.').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('link', { name: 'Servers' }).click()
  await page.getByRole('heading', { name: 'Servers', exact: true }).waitFor()

  expect(beacon.visits).toEqual([])
  expect(events).toEqual([])
})

test('it sends nothing by WebRTC either, also from frames of its own', async () => {
  await using lab = await openHostileLab()
  await using datagrams = await countDatagrams(Number(new URL(lab.beacon.origin).port))
  for (const app of ['peer', 'nested']) {
    const page = await lab.context.newPage()
    const crashed = new Promise<void>((resolve) => page.once('crash', () => resolve()))
    await page.goto(lab.addressOf(app))
    const called = page.frameLocator('iframe').locator('#called').waitFor({ state: 'attached' })
    // Some versions of Chromium end the tab instead.
    await Promise.race([called.catch(() => crashed), crashed])
  }
  expect(datagrams.count()).toBe(0)
  const next = await lab.context.newPage()
  await next.goto(`${lab.console.origin}/servers`)
  await next.getByRole('heading', { name: 'Servers', exact: true }).waitFor()
})

test('the person is asked before an app is opened in a browser that cannot keep it from opening connections', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
  await addServer(lab.console, 'http://127.0.0.1:9')
  // As in a browser that does not know the header.
  await lab.page.route('**/app-probe', async (route) => {
    const response = await route.fetch()
    const { 'connection-allowlist': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await lab.go('/servers/stable?tool=hay')
  await lab.get('link', 'Open the app').click()
  await lab.sees(/could tell its author that you opened it/)
  expect(await lab.page.locator('iframe').count()).toBe(0)
  await lab.get('button', 'Open it anyway').click()
  await seen(() => lab.page.frameLocator('iframe').locator('p').allTextContents()).toEqual(shown.slice(0, 1))
})

test('the page of the frame is only for the console, and has a policy of its own', async () => {
  await using console = await openConsole()
  const { status, headers, text } = await console.ask('GET', '/app-frame')
  expect(status).toBe(200)
  expect(text).not.toContain(console.authorization.slice(7))
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ]),
  )
  expect(policy).not.toContain('http')
  expect((await console.ask('POST', '/app-frame', {})).status).toBe(404)
})
