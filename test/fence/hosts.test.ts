import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { describe, expect, inject, test, vi } from 'vitest'
import type { AskHost } from '../../packages/agent-api/src/fence/fence.ts'
import { openFence } from '../../packages/agent-api/src/fence/open-fence.ts'
import { networkOf } from '../../packages/agent-api/src/http/network-of.ts'
import { openTempDir } from '../support/temp-dir.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const hasCurl = spawnSync('curl', ['--version']).status === 0
/** A name that is not `localhost`, and leads to this machine or its network all the same. */
const disguised = await lookup(hostname()).then(
  ({ address }) => (networkOf(address) === 'public' ? undefined : hostname()),
  () => undefined,
)

const big = randomBytes(5_000_000)
const hashOf = (data: Buffer) => createHash('sha256').update(data).digest('hex')

/** A page, a large file, and the hash of what is sent, on loopback outside of the fence. */
async function openWeb() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`)
    if (request.url === '/big') return void response.end(big)
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => response.end(chunks.length === 0 ? 'page' : hashOf(Buffer.concat(chunks))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `localhost:${port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface FencedRun {
  readonly hosts?: readonly string[]
  readonly askHost?: AskHost
  /** Called while the program runs. */
  readonly meanwhile?: (args: readonly string[]) => Promise<void>
}

/** Runs a program in a fence. Returns what it wrote. */
async function runFenced(
  [command = '', ...args]: readonly string[],
  { hosts = [], askHost, meanwhile }: FencedRun = {},
): Promise<string> {
  await using dir = await openTempDir()
  const fence = await openFence({ level: 'required', hosts }, { writable: [dir.path], askHost })
  const fenced = fence.enclose({ command, args }, dir.path, {})
  try {
    return await new Promise((resolve) => {
      const child = execFile(
        fenced.command,
        fenced.args,
        { cwd: dir.path, maxBuffer: 100_000_000, timeout: 60_000 },
        (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
      )
      child.stdin?.end()
      void meanwhile?.(fenced.args)
    })
  } finally {
    fenced.release()
  }
}

const inNode = (script: string) => [process.execPath, '--input-type=module', '-e', script]
const inPython = (script: string) => ['python3', '-c', script]
const inShell = (line: string) => ['/bin/sh', '-c', line]

describe.skipIf(inject('fenceProblem') !== undefined)('in a fence', () => {
  const programs: readonly (readonly [string, boolean, (url: string) => readonly string[]])[] = [
    [
      'Node’s fetch',
      true,
      (url) =>
        inNode(
          `console.log(await fetch('${url}').then((r) => r.text(), (error) => error.cause?.message ?? error.message))`,
        ),
    ],
    [
      'Python’s urllib',
      hasPython,
      (url) => inPython(`import urllib.request; print(urllib.request.urlopen('${url}').read().decode())`),
    ],
    ['curl', hasCurl, (url) => ['curl', '-sS', '--noproxy', '', url]],
    ['curl with a tunnel', hasCurl, (url) => ['curl', '-sSp', '--noproxy', '', url]],
  ]

  test.for(programs)('%s reaches a named host, and no other', async ([, isThere, fetching], { skip }) => {
    if (!isThere) skip('this machine does not have it')
    await using web = await openWeb()
    expect(await runFenced(fetching(`http://${web.host}/a?b=c`), { hosts: [web.host] })).toMatch(/^page\s?$/)
    expect(web.seen).toEqual([`GET /a?b=c ${web.host}`])
    // Another port of the same machine, and another name.
    await using other = await openWeb()
    for (const url of [`http://${other.host}/`, 'http://other.example/', 'https://other.example/'])
      expect(await runFenced(fetching(url), { hosts: [web.host] })).not.toContain('page')
    expect(other.seen).toEqual([])
  })

  test.skipIf(!hasCurl)('large bodies arrive whole in both directions, many at a time', async () => {
    await using web = await openWeb()
    const line = [
      `curl -sSp --noproxy '' http://${web.host}/big | sha256sum`,
      `curl -sS --noproxy '' http://${web.host}/big | sha256sum`,
      `curl -sS --noproxy '' http://${web.host}/big | curl -sS --noproxy '' -T - http://${web.host}/up && echo ''`,
    ].join(' & ')
    const result = await runFenced(inShell(`${line} & wait`), { hosts: [web.host] })
    expect(result.match(/\w{64}/g)).toEqual(Array<string>(3).fill(hashOf(big)))
  })

  test('the first thing that a program does may be a connection, and its exit code is kept', async () => {
    await using web = await openWeb()
    const connecting = `import { connect } from 'node:net'
      const socket = connect(3128, '127.0.0.1', () => { console.log('connected'); process.exit(7) })
      socket.on('error', (error) => console.log(error.message))`
    const line = `"$0" --input-type=module -e "$1"; echo "exit $?"`
    const result = await runFenced(['/bin/sh', '-c', line, process.execPath, connecting], {
      hosts: [web.host],
    })
    expect(result).toBe('connected\nexit 7\n')
  })

  test('an answer arrives whole after its server has closed, and a request after its client has', async () => {
    await using opened = new AsyncDisposableStack()
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      let received = 0
      socket
        .on('data', (chunk) => (received += chunk.length))
        .on('end', () => socket.end(`${received} `.padEnd(3_000_000, 'x')))
    })
    server.listen(0, '127.0.0.1')
    opened.defer(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sending = `import { connect } from 'node:net'
      const socket = connect({ port: 3128, host: '127.0.0.1', allowHalfOpen: true })
      socket.write('CONNECT localhost:${port} HTTP/1.1\\r\\n\\r\\n')
      await new Promise((resolve) => socket.once('data', resolve))
      socket.end('y'.repeat(2_000_000))
      let text = ''
      for await (const chunk of socket.setEncoding('latin1')) text += chunk
      console.log(text.length, text.slice(0, 8))`
    expect(await runFenced(inNode(sending), { hosts: [`localhost:${port}`] })).toBe('3000000 2000000 \n')
  })

  test.skipIf(!hasCurl)('a program reaches its own loopback past the proxy', async () => {
    const serving = `import { createServer } from 'node:http'
      import { execFile } from 'node:child_process'
      const server = createServer((_, response) => response.end('own')).listen(0, '127.0.0.1', () =>
        execFile('curl', ['-sS', 'http://localhost:' + server.address().port], (_, out, err) => {
          console.log(out + err)
          process.exit()
        }))`
    expect(await runFenced(inNode(serving), { hosts: ['*'] })).toBe('own\n')
  })

  test('without hosts and without a person, there is no way out at all', async () => {
    await using web = await openWeb()
    const result = await runFenced(
      inNode(
        `console.log(JSON.stringify([process.env.HTTP_PROXY, await fetch('http://${web.host}').catch(() => 'none')]))`,
      ),
    )
    expect(JSON.parse(result)).toEqual([null, 'none'])
  })

  test('past the proxy, nothing can be reached: services, metadata, names, raw packets, IPv6', async () => {
    await using web = await openWeb()
    const attempts = `
      import { createConnection } from 'node:net'
      import { createSocket } from 'node:dgram'
      import { lookup, Resolver } from 'node:dns/promises'
      const connect = (options) => new Promise((resolve) => {
        const socket = createConnection({ timeout: 3000, ...options }, () => resolve('reached'))
        socket.on('error', (error) => resolve(error.code)).on('timeout', () => resolve('timeout'))
      })
      const send = (type, address) => new Promise((resolve) => {
        const socket = createSocket(type)
        socket.send('x', 53, address, (error) => { socket.close(); resolve(error?.code ?? 'sent') })
      })
      const resolver = new Resolver({ timeout: 500, tries: 1 })
      resolver.setServers(['8.8.8.8'])
      console.log(JSON.stringify({
        service: await connect({ port: ${web.port}, host: '127.0.0.1' }),
        service6: await connect({ port: ${web.port}, host: '::1' }),
        metadata: await connect({ port: 80, host: '169.254.169.254' }),
        address: await connect({ port: 443, host: '1.1.1.1' }),
        address6: await connect({ port: 443, host: '2606:4700:4700::1111' }),
        udp: await send('udp4', '8.8.8.8'),
        udp6: await send('udp6', '2001:4860:4860::8888'),
        name: await lookup('secret.attacker.example').then(() => 'found', (error) => error.code),
        dns: await resolver.resolve('secret.attacker.example').then(() => 'found', () => 'failed'),
      }))`
    const found = JSON.parse(await runFenced(inNode(attempts), { hosts: ['*'] })) as Record<string, string>
    expect(found).toEqual({
      service: 'ECONNREFUSED',
      service6: expect.stringMatching(/^E(CONNREFUSED|ADDRNOTAVAIL|NETUNREACH)$/),
      metadata: 'ENETUNREACH',
      address: 'ENETUNREACH',
      address6: expect.stringMatching(/^E(NETUNREACH|ADDRNOTAVAIL)$/),
      udp: 'ENETUNREACH',
      udp6: expect.stringMatching(/^E(NETUNREACH|ADDRNOTAVAIL)$/),
      name: expect.stringMatching(/^E(AI_AGAIN|NOTFOUND)$/),
      dns: 'failed',
    })
    expect(web.seen).toEqual([])
  })

  test.skipIf(!hasPython)('raw sockets are forbidden', async () => {
    const script = `
import socket
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW)):
    try:
        socket.socket(family, kind, socket.IPPROTO_ICMP)
        print('open')
    except PermissionError:
        print('forbidden')`
    expect(await runFenced(inPython(script), { hosts: ['*'] })).toBe('forbidden\nforbidden\n')
  })

  test.skipIf(!hasCurl)(
    'through the proxy, this machine and private networks are refused without a question',
    async () => {
      await using web = await openWeb()
      const askHost = vi.fn<AskHost>(async () => true)
      const hosts = ['*', `*:${web.port}`]
      const spellings = [
        '127.0.0.1',
        'localhost',
        '127.1',
        '0x7f000001',
        '2130706433',
        '[::1]',
        '[::ffff:7f00:1]',
      ]
      const places = [
        ...spellings.map((each) => `${each}:${web.port}`),
        '169.254.169.254',
        '10.0.0.1',
        '[fd00::1]',
      ]
      const lines = places.flatMap((place) =>
        ['-sSi', '-sSip'].map((flags) => `curl ${flags} -m 20 --noproxy '' -g 'http://${place}/' 2>&1`),
      )
      const result = await runFenced(inShell(lines.join('; ')), { hosts, askHost })
      expect(result.match(/is not allowed by the sandbox/g)).toHaveLength(lines.length)
      expect(askHost).not.toHaveBeenCalled()
      expect(web.seen).toEqual([])
    },
  )

  test.skipIf(!hasCurl || disguised === undefined)(
    'a public name that leads to this machine is refused, also after a yes',
    async () => {
      await using web = await openWeb()
      const fetching = ['curl', '-sSi', `http://${disguised}:${web.port}/`]
      expect(await runFenced(fetching, { hosts: [`*:${web.port}`] })).toContain(
        `403 ${disguised}:${web.port} leads to a private network`,
      )
      const asked = ['curl', '-sSi', `http://${disguised}/`]
      expect(await runFenced(asked, { askHost: async () => true })).toContain(
        `403 ${disguised} leads to a private network`,
      )
      // Named, it may.
      expect(await runFenced(fetching, { hosts: [`${disguised}:${web.port}`] })).toContain('page')
    },
  )

  test.skipIf(!hasCurl)('a person is asked once for a host, and a no names it', async () => {
    const askHost = vi.fn<AskHost>(async () => false)
    const line = 'for i in 1 2 3; do curl -sSi http://asked.example/; done; curl -sSp https://asked.example/'
    const result = await runFenced(inShell(line), { askHost })
    expect(result.match(/403 asked.example is not allowed by the sandbox/g)).toHaveLength(3)
    expect(askHost).toHaveBeenCalledExactlyOnceWith('asked.example', expect.any(AbortSignal))
  })

  test('what is not a request for a proxy gets nothing', async () => {
    const requests = [
      'GET / HTTP/1.1\r\n\r\n',
      'CONNECT user@host.example:443 HTTP/1.1\r\n\r\n',
      'CONNECT host.example:443/path HTTP/1.1\r\n\r\n',
      'GET ftp://host.example/ HTTP/1.1\r\n\r\n',
      'x'.repeat(100_000),
    ]
    const sending = `import { connect } from 'node:net'
      for (const request of JSON.parse(process.argv[1])) {
        const socket = connect(3128, '127.0.0.1', () => socket.write(request)).on('error', () => {})
        let text = ''
        for await (const chunk of socket.setEncoding('latin1').iterator()) text += chunk
        console.log(text.slice(0, 13))
      }`
    const result = await runFenced([...inNode(sending), JSON.stringify(requests)], { hosts: ['*'] })
    expect(result).toBe('HTTP/1.1 403 \n'.repeat(requests.length))
  })

  test('the question closes with the program, and its end leaves no socket', async () => {
    const asked = Promise.withResolvers<AbortSignal>()
    const askHost: AskHost = (_, signal) => {
      asked.resolve(signal)
      return new Promise(() => {})
    }
    let path = ''
    await runFenced(
      inNode(
        `fetch('https://asked.example').catch(() => {}); process.stdin.resume(); setTimeout(() => process.exit(), 500)`,
      ),
      {
        askHost,
        meanwhile: async (args) => {
          path = args.find((each) => each.endsWith('/proxy')) ?? ''
          expect(existsSync(path)).toBe(true)
        },
      },
    )
    expect((await asked.promise).aborted).toBe(true)
    expect(path).not.toBe('')
    expect(existsSync(path)).toBe(false)
    const refused = await new Promise((resolve) => connect(path).on('error', resolve))
    expect(refused).toMatchObject({ code: 'ENOENT' })
  })
})
