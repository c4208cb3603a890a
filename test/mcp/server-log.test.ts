import { describe, expect, test } from 'vitest'
import { call, callText, canary, fixturePath, nodeServer, openConnected } from '../support/mcp-clients.ts'
import { until } from '../support/processes.ts'

const open = () => openConnected(nodeServer([fixturePath('logging-server.mjs')]))
const signal = AbortSignal.timeout(30_000)

describe('the log of a server', () => {
  test('is requested from warnings on, and keeps no others', async () => {
    await using client = await open()
    expect(await callText(client, 'level')).toBe('warning')
    await call(client, 'log', { level: 'info', data: 'not this' })
    await call(client, 'log', { level: 'error', logger: 'db', data: 'this' })
    await until('the message', () => client.serverLog.entries().length > 0)
    expect(client.serverLog.entries()).toEqual([
      { at: expect.stringMatching(/Z$/), level: 'error', logger: 'db', text: 'this' },
    ])
  })

  test('has another level on request, which outlives the connection', async () => {
    await using client = await open()
    await client.serverLog.setLevel('debug', { signal })
    expect(await callText(client, 'level')).toBe('debug')
    await client.reconnect()
    await until('the level', async () => (await callText(client, 'level')) === 'debug')
    await call(client, 'log', { level: 'debug', data: { message: 'a detail' } })
    await until('the message', () => client.serverLog.entries().length > 0)
    expect(client.serverLog.entries()[0]).toMatchObject({ level: 'debug', text: 'a detail' })
  })

  test('is cleaned and redacted', async () => {
    await using client = await open()
    await call(client, 'log', {
      level: 'error',
      logger: `\u001b[31m${canary}`,
      data: { key: canary, more: 'a\u202eb' },
    })
    await call(client, 'log', { level: 'nonsense', data: 'x' })
    await call(client, 'stderr', { text: `\u001b[2J using ${canary}` })
    await until('both', () => client.serverLog.entries().length > 0 && client.serverLog.stderr().length > 0)
    const shown = JSON.stringify([client.serverLog.entries(), client.serverLog.stderr()])
    expect(shown).not.toContain(canary)
    expect(shown).not.toMatch(/\\u001b|\u202e/)
    expect(shown).toContain('using')
  })

  test('is bounded in number and in size', async () => {
    await using client = await open()
    await call(client, 'flood', { count: 300, length: 100_000 })
    await until('the last one', () => client.serverLog.entries().at(-1)?.text.startsWith('299 ') === true)
    const entries = client.serverLog.entries()
    expect(entries).toHaveLength(200)
    expect(Math.max(...entries.map(({ text }) => text.length))).toBeLessThan(1_100)
  })

  test('and its last output are still there when it has ended', async () => {
    await using client = await open()
    await call(client, 'stderr', { text: 'last words' })
    const written = () => client.serverLog.stderr().map(({ text }) => text)
    await until('the words', () => written().includes('last words'))
    await call(client, 'exit').catch(() => undefined)
    expect(written()).toContain('last words')
    // The output of the next process follows.
    await client.reconnect()
    await call(client, 'stderr', { text: 'first words' })
    await until('its words', () => written().includes('first words'))
    expect(written().filter((line) => line.endsWith(' words'))).toEqual(['last words', 'first words'])
  })
})

test('values of an argument are suggested by the server', async () => {
  await using client = await open()
  const ask = (argument: string, value: string, known = {}) =>
    client.complete({ prompt: 'travel', argument, value, known }, { signal })
  expect(await ask('city', 'Li')).toEqual({ values: ['Lisbon', 'Lima'], hasMore: false })
  expect(await ask('by', 'tr', { city: 'Lisbon' })).toEqual({ values: ['tram', 'train'], hasMore: false })
})
