import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createGuardedFetch } from '../../../../packages/agent-api/src/mcp/transports/guarded-fetch.ts'

type Dispatcher = object

it('fetch waits for a silent server longer than Node would', async () => {
  const released = Promise.withResolvers<void>()
  const server = createServer((_, response) => void released.promise.then(() => response.end('at last')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const restore = await giveUpSoon()
  try {
    const patient = createGuardedFetch()(url)
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
    released.resolve()
    expect(await (await patient).text()).toBe('at last')
  } finally {
    restore()
    server.closeAllConnections()
    server.close()
  }
})

/** Node's own dispatcher, with a timeout of one second instead of five minutes. */
async function giveUpSoon(): Promise<() => void> {
  await fetch('data:,')
  const global = globalThis as unknown as Record<symbol, Dispatcher>
  const symbol =
    Symbol.for('undici.globalDispatcher.2') in globalThis
      ? 'undici.globalDispatcher.2'
      : 'undici.globalDispatcher.1'
  const before = global[Symbol.for(symbol)]
  if (before === undefined) throw new Error('fetch has no dispatcher')
  const Agent = before.constructor as new (options: object) => Dispatcher
  global[Symbol.for(symbol)] = new Agent({ headersTimeout: 1_000 })
  return () => (global[Symbol.for(symbol)] = before)
}
