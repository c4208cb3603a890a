import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openRedirectListener } from '../../../../packages/agent-api/src/mcp/oauth/redirect-listener.ts'

const signal = new AbortController().signal

test('only the expected request is answered, and only while the listener waits', async () => {
  await using listener = await openRedirectListener(0)
  expect((await fetch(`${listener.url}?code=1`)).status).toBe(404)
  const received = listener.receive((params) => params.get('state') === 'right', signal)
  expect((await fetch(new URL('/other', listener.url))).status).toBe(404)
  expect((await fetch(`${listener.url}?state=right`, { method: 'POST' })).status).toBe(404)
  const [otherName] = (await once(
    get(`${listener.url}?state=right`, { headers: { host: 'other.example' } }),
    'response',
  )) as [IncomingMessage]
  expect(otherName.resume().statusCode).toBe(404)
  expect(await (await fetch(`${listener.url}?state=right&code=1`)).text()).toMatch(
    /Thank you[^]*You can close this tab\./,
  )
  expect((await received).get('code')).toBe('1')
  expect((await fetch(`${listener.url}?state=right`)).status).toBe(404)
})

test('a refusal is received, and the page does not say thank you', async () => {
  await using listener = await openRedirectListener(0)
  const received = listener.receive(() => true, signal)
  expect(await (await fetch(`${listener.url}?error=access_denied`)).text()).toContain('Not logged in')
  expect((await received).get('error')).toBe('access_denied')
})

test('a redirect that belongs to another login ends this one', async () => {
  await using listener = await openRedirectListener(0)
  const received = listener.receive(() => false, signal)
  const [page] = await Promise.all([
    fetch(listener.url),
    expect(received).rejects.toThrow('a different login'),
  ])
  expect(page.status).toBe(400)
})

test('the listener stops waiting once the login is cancelled', async () => {
  await using listener = await openRedirectListener(0)
  await expect(listener.receive(() => true, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  )
})

test('a port in use is reported', async () => {
  await using listener = await openRedirectListener(0)
  const { port } = new URL(listener.url)
  await expect(openRedirectListener(Number(port))).rejects.toThrow(
    `Cannot listen on the port ${port} of 127.0.0.1: it is taken.`,
  )
})
