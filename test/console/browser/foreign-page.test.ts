import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { keyOf, openConsole } from '../console-process.ts'
import { openBrowser, reboundHost, waitMsMax } from '../support/browser.ts'

/** A page of another port in the person's browser. For a browser it is the same site. */
async function serveForeignPage(): Promise<{ origin: string; heads: string[][] } & AsyncDisposable> {
  const heads: string[][] = []
  const server = createServer(({ rawHeaders, url = '' }, response) => {
    heads.push([url, ...rawHeaders])
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The attacks of the foreign page by name, each returning what it could read, or `blocked`. Runs in the browser. */
const attacks = `async (target) => {
  const add = JSON.stringify({ name: 'planted', entry: { type: 'stdio', command: 'true' } })
  const json = { 'content-type': 'application/json' }
  const read = (path, options) => fetch(target + path, options).then(async (answer) => answer.type === 'opaque' ? 'opaque' : answer.text(), () => 'blocked')
  const load = (element, set) => new Promise((resolve) => {
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('blocked')
    set(element)
    document.body.append(element)
  })
  const stream = (open) => new Promise((resolve) => {
    const source = open()
    source.onopen = source.onmessage = () => resolve('opened')
    source.onerror = () => resolve('blocked')
  })
  const form = (type, action) => new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = 'f' + Math.random()
    const element = document.createElement('form')
    Object.assign(element, { method: 'post', enctype: type, action, target: frame.name })
    const input = document.createElement('input')
    Object.assign(input, { name: add.slice(0, -1) + ',"x":"', value: '"}' })
    element.append(input)
    document.body.append(frame, element)
    frame.onload = () => resolve('sent')
    element.submit()
  })
  const framed = await new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.onload = () => { try { resolve(frame.contentDocument?.body?.textContent ?? 'foreign') } catch { resolve('foreign') } }
    frame.src = target + '/servers'
    document.body.append(frame)
  })
  const opened = window.open(target + '/servers')
  return {
    get: await read('/api/servers', { credentials: 'include' }),
    'get, opaque': await read('/api/servers', { mode: 'no-cors', credentials: 'include' }),
    post: await read('/api/servers', { method: 'POST', headers: json, body: add, credentials: 'include' }),
    'post, simple': await read('/api/servers', { method: 'POST', body: add, credentials: 'include' }),
    'post, opaque': await read('/api/servers', { method: 'POST', mode: 'no-cors', body: add, credentials: 'include' }),
    delete: await read('/api/sessions/x', { method: 'DELETE', credentials: 'include' }),
    beacon: String(navigator.sendBeacon(target + '/api/servers', new Blob([add], { type: 'text/plain' }))),
    'form, text': await form('text/plain', target + '/api/servers'),
    'form, multipart': await form('multipart/form-data', target + '/api/servers'),
    script: await load(document.createElement('script'), (element) => { element.src = target + '/api/servers' }),
    'script of the page': await load(document.createElement('script'), (element) => { element.src = target + '/'; element.type = 'module' }),
    image: await load(document.createElement('img'), (element) => { element.src = target + '/favicon.svg' }),
    style: await load(document.createElement('link'), (element) => { element.rel = 'stylesheet'; element.href = target + '/' }),
    events: await stream(() => new EventSource(target + '/api/events', { withCredentials: true })),
    socket: await stream(() => new WebSocket(target.replace('http', 'ws') + '/api/events')),
    framed,
    opened: await new Promise((resolve) => {
      const look = () => {
        try {
          // Until it has loaded, it is an empty page of this origin.
          if (opened.closed) return resolve('foreign')
          if (opened.document.URL !== 'about:blank') return resolve(opened.document.body.textContent)
        } catch {
          return resolve('foreign')
        }
        setTimeout(look, 10)
      }
      look()
    }),
  }
}`

const nothing = {
  get: 'blocked',
  'get, opaque': 'blocked',
  post: 'blocked',
  'post, simple': 'blocked',
  'post, opaque': 'blocked',
  delete: 'blocked',
  beacon: 'true',
  'form, text': 'sent',
  'form, multipart': 'sent',
  script: 'blocked',
  'script of the page': 'blocked',
  image: 'blocked',
  style: 'blocked',
  events: 'blocked',
  socket: 'blocked',
  framed: 'foreign',
  opened: 'foreign',
}

test('a page of another origin reads nothing of the console and changes nothing in it', async () => {
  await using console = await openConsole()
  await using foreign = await serveForeignPage()
  const browser = await openBrowser()
  await using context = await browser.newContext({ storageState: keyOf(console) })
  context.setDefaultTimeout(waitMsMax)
  const page = await context.newPage()
  const statuses = new Map<number, number>()
  context.on('response', (response) => {
    if (response.url().startsWith(console.origin))
      statuses.set(response.status(), (statuses.get(response.status()) ?? 0) + 1)
  })
  await page.goto(foreign.origin)
  const tried = await page.evaluate<Record<string, string>>(`(${attacks})(${JSON.stringify(console.origin)})`)
  expect(tried).toEqual(nothing)
  // All requests were refused, and the console is unchanged.
  expect([...statuses.keys()]).toEqual([403])
  expect((await console.ask('GET', '/api/servers')).json).toMatchObject({ servers: [], live: [] })
  expect((await console.ask('GET', '/api/calls')).json.calls).toEqual([])

  // When a person types the address, the same browser opens the console.
  const own = await context.newPage()
  await own.goto(`${console.origin}/servers`)
  await own.getByText('No servers yet').waitFor()
  // The other port was sent nothing of the console, and its page finds nothing: typed, linked and fetched.
  await own.goto(foreign.origin)
  expect(await own.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie')).toBe(
    '{}',
  )
  await page.goto(`${console.origin}/servers`)
  await page.evaluate((url) => void (location.href = url), `${foreign.origin}/linked`)
  await page.waitForURL(`${foreign.origin}/linked`)
  expect(foreign.heads.map(([path]) => path)).toEqual(expect.arrayContaining(['/', '/linked']))
  for (const head of foreign.heads) {
    expect(head.join('\n')).not.toContain(console.authorization.slice(7))
    expect(head.map((part) => part.toLowerCase())).not.toContain('cookie')
  }
})

test('another host name that points to this machine is not the console', async () => {
  await using console = await openConsole()
  const browser = await openBrowser()
  await using context = await browser.newContext()
  const page = await context.newPage()
  const target = `http://${reboundHost}:${console.port}`
  for (const path of ['/', '/api/servers', '/favicon.svg'])
    expect([path, (await page.goto(target + path))?.status()]).toEqual([path, 421])
  expect(await page.content()).not.toContain('Add server')
})
