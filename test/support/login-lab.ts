import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openRedirectListener } from '../../packages/agent-api/src/mcp/oauth/redirect-listener.ts'
import type { LogInOptions } from '../../packages/agent-api/src/mcp/oauth/log-in.ts'
import type { ServerService } from '../../packages/workbench/src/index.ts'
import type { CliResult } from '../cli/run-ostler.ts'
import { baseEnv, ostlerScript } from './ostler-script.ts'
import { openLoginServer } from '../fixtures/servers/login-server.mjs'

/** A request that the login server received. */
export interface LoginRequestLine {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization?: string
  readonly body: string
}

export interface LoginServer extends AsyncDisposable {
  readonly url: string
  readonly mcp: string
  requests(path?: string): LoginRequestLine[]
  /** Number of token renewals. */
  renewals(): number
  /** Expires access tokens, or all tokens. While broken, the server issues none. */
  control(what: 'expire' | 'forget' | 'break' | 'mend'): Promise<void>
  /** All tokens, codes and secrets that were exchanged. */
  secrets(): Record<string, string>
}

export async function startLoginServer(differences: object = {}): Promise<LoginServer> {
  const all: LoginRequestLine[] = []
  const { url, close } = await openLoginServer(differences, (request) => all.push(request))
  const requests = (path?: string) => all.filter((request) => path === undefined || request.path === path)
  const renewals = () =>
    requests('/token').filter(({ body }) => body.includes('grant_type=refresh_token')).length
  return {
    url,
    mcp: `${url}/mcp`,
    requests,
    renewals,
    async control(what) {
      await fetch(`${url}/control/${what}`, { method: 'POST' })
    },
    secrets() {
      const bearers = requests().flatMap(
        ({ authorization = '' }) => /^Bearer (.+)/.exec(authorization)?.[1] ?? [],
      )
      const forms = requests('/token').flatMap(({ body }) =>
        [...new URLSearchParams(body)].filter(([name]) =>
          /^(?:code|code_verifier|refresh_token)$/.test(name),
        ),
      )
      const values = [...bearers.map((value) => ['access', value] as const), ...forms]
      return Object.fromEntries(values.map(([name, value], index) => [`${name} ${index}`, value]))
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Follows redirects to the end, like a browser. */
export async function browse(url: string): Promise<Response> {
  const first = await fetch(url, { redirect: 'manual' })
  const location = first.headers.get('location')
  return location === null ? first : fetch(location, { redirect: 'manual' })
}

/** Logs in through the library, with a browser that returns at once. */
export async function logInWith(
  service: ServerService,
  target: string,
  more: Partial<LogInOptions> = {},
): Promise<void> {
  let browsing: Promise<unknown> | undefined
  await service.logIn(target, {
    listen: () => openRedirectListener(0),
    show: (url) => (browsing = browse(url)),
    ...more,
  })
  await browsing
}

/** The address that `ostler mcp login` prints for the browser. */
export function addressIn(stderr: string): string | undefined {
  return /^ {2}(http\S+)\n/m.exec(stderr)?.[1]
}

export interface LoginRun extends CliResult {
  /** The page that the browser showed in the end. */
  readonly page: Response | undefined
}

/** Runs `ostler mcp login`, with a browser that opens the address it prints. */
export async function runLogin(
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>
    readonly input?: string
    readonly browser?: (url: string, stop: () => void) => Promise<Response | undefined>
  },
): Promise<LoginRun> {
  const child = spawn(process.execPath, [ostlerScript, 'mcp', 'login', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...baseEnv, ...options.env },
  })
  child.stdin.end(options.input ?? '')
  let stdout = ''
  let stderr = ''
  let browsing: Promise<Response | undefined> | undefined
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    const url = addressIn(stderr)
    if (url !== undefined) browsing ??= (options.browser ?? browse)(url, () => child.kill('SIGINT'))
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, page: await browsing }
}
