import { expect, it, vi } from 'vitest'
import { createHostAccess } from '../../../../packages/agent-api/src/fence/network/host-access.ts'

const target = (host: string, port = 443) => ({ host, port })

it('asks once for an unknown host, for all connections that wait and come later', async () => {
  const answer = Promise.withResolvers<boolean>()
  const ask = vi.fn<() => Promise<boolean>>(() => answer.promise)
  using access = createHostAccess(['named.test'], ask)
  const waiting = [access.admit(target('asked.test')), access.admit(target('asked.test', 80))]
  expect(await access.admit(target('named.test'))).toBe('named')
  answer.resolve(true)
  expect(await Promise.all(waiting)).toEqual(['matched', 'matched'])
  expect(await access.admit(target('asked.test'))).toBe('matched')
  expect(ask).toHaveBeenCalledExactlyOnceWith('asked.test', expect.any(AbortSignal))
})

it.each([
  ['a no', async () => false],
  ['a failure to ask', async () => Promise.reject(new Error('gone'))],
  ['nobody to ask', undefined],
])('%s refuses, and is not asked again', async (_, answer) => {
  const ask = answer && vi.fn<() => Promise<boolean>>(answer)
  using access = createHostAccess([], ask)
  for (let tries = 0; tries < 3; tries++) expect(await access.admit(target('asked.test'))).toBe('refused')
  expect(ask?.mock.calls.length ?? 1).toBe(1)
})

it('asks for no host that only a setting may allow', async () => {
  const ask = vi.fn<() => Promise<boolean>>(async () => true)
  using access = createHostAccess(['*'], ask)
  for (const host of ['localhost', '169.254.169.254', '10.0.0.1', '::1'])
    expect(await access.admit(target(host))).toBe('refused')
  expect(await access.admit(target('ssh.test', 22))).toBe('refused')
  expect(ask).not.toHaveBeenCalled()
})

it('a program that tries many names asks for twenty of them', async () => {
  const ask = vi.fn<() => Promise<boolean>>(async () => true)
  using access = createHostAccess([], ask)
  const verdicts = []
  for (let at = 0; at < 30; at++) verdicts.push(await access.admit(target(`h${at}.test`)))
  expect(verdicts).toEqual([...Array<string>(20).fill('matched'), ...Array<string>(10).fill('refused')])
  expect(ask).toHaveBeenCalledTimes(20)
})

it('a connection does not wait for an answer forever, and a later one finds it', async () => {
  vi.useFakeTimers()
  try {
    const answer = Promise.withResolvers<boolean>()
    using access = createHostAccess([], () => answer.promise)
    const first = access.admit(target('asked.test'))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await first).toBe('refused')
    answer.resolve(true)
    expect(await access.admit(target('asked.test'))).toBe('matched')
  } finally {
    vi.useRealTimers()
  }
})

it('its end takes the questions back', async () => {
  let asked: AbortSignal | undefined
  const access = createHostAccess([], (_, signal) => {
    asked = signal
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false)))
  })
  const waiting = access.admit(target('asked.test'))
  access[Symbol.dispose]()
  expect(await waiting).toBe('refused')
  expect(asked?.aborted).toBe(true)
})
