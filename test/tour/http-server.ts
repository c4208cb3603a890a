import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface HttpServerProcess extends AsyncDisposable {
  readonly url: string
}

const startTimeoutMs = 20_000

/** Starts an npm package that serves MCP over HTTP on the port in its environment. */
export async function startHttpServer(script: string): Promise<HttpServerProcess> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [script, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}/mcp`
  try {
    await waitUntilServing(url, child)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** The package does not accept port 0, so a free port is chosen and passed on. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitUntilServing(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + startTimeoutMs
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`the http server ended with exit code ${child.exitCode}`)
    const answered = await fetch(url, { method: 'GET' }).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    )
    if (answered) return
    await delay(50)
  }
  throw new Error('the http server did not start')
}
