import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Beacon extends AsyncDisposable {
  readonly origin: string
  readonly visits: readonly string[]
}

/** A server that records requests by injected code or images. */
export async function openBeacon(): Promise<Beacon> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
