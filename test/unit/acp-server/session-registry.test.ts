import { expect, test } from 'vitest'
import type { AcpSession } from '../../../packages/acp-server/src/acp-session.ts'
import { createSessionRegistry } from '../../../packages/acp-server/src/session-registry.ts'

test('a session that is closed while it is loaded from the history ends, even if the editor does not read', async () => {
  const registry = createSessionRegistry()
  let isDisposed = false
  const session = {
    id: 'a',
    [Symbol.asyncDispose]: () => Promise.resolve(void (isDisposed = true)),
  } as Partial<AcpSession> as AcpSession
  const reading = Promise.withResolvers<AcpSession>()
  const opening = Promise.withResolvers<void>()
  const steps = {
    check: () => Promise.resolve(),
    open() {
      opening.resolve()
      return reading.promise
    },
    fill: () => new Promise<void>(() => {}),
  }
  const reopened = registry.reopen('a', steps, new AbortController().signal)
  await opening.promise
  const ended = registry.end('a')
  reading.resolve(session)
  await expect(reopened).rejects.toMatchObject({ code: 'session.closed' })
  await ended
  expect(isDisposed).toBe(true)
})
