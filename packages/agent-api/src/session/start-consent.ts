import { join } from 'node:path'
import { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { showHidden } from '../base/strip-hidden.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { Grant } from '../policy/approval.ts'
import type { Ask } from '../policy/question.ts'
import { hashCanonical, isSamePin, toServerPin, type Pin } from '../policy/always-allow/definition-pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { SharedPerson } from './person.ts'

/** Asks before a session's server starts if files of the session's folder choose its program. */
export interface StartConsent extends Disposable {
  readonly prepareStart: NonNullable<McpHost['prepareStart']>
  /** Nothing waits for the answers. */
  look(clients: Iterable<McpClient>): void
  /** Like `client.use`, and waits for the answer if its start needs one. */
  use(client: McpClient, signal: AbortSignal): Promise<void>
  /** The person wants these servers, so the last answer does not count. */
  askAgain(names: Iterable<string>): void
}

interface StartConsentOptions extends Pick<SharedPerson, 'grants' | 'stateDir'> {
  readonly home: string | undefined
  readonly cwd: string
  /** Undefined if nobody can be asked. Then such a server does not start. */
  readonly ask: Ask | undefined
  readonly calls: () => CallRecorder
  readonly logger: Logger
}

/** The tool name under which the history and the grants store the answers. */
const startTool = 'start'

export function createStartConsent(options: StartConsentOptions): StartConsent {
  const { grants, stateDir, home, cwd, ask: askPerson, calls, logger } = options
  const allowed: Pin[] = []
  const lifetime = new AbortController()
  const asked = new Map<string, { readonly key: string; readonly answered: Promise<void> }>()
  let last = Promise.resolve()

  /** Unreadable grants allow nothing. */
  function stored(): readonly Grant[] {
    try {
      return grants.list().filter(({ ref, verdict }) => ref.tool === startTool && verdict === 'allow')
    } catch {
      return []
    }
  }

  /** Binds an answer to the folder, the command line and the files that decide. */
  const pinOf = ({ config }: Pick<McpClient, 'config'>, files: readonly string[]): Pin => ({
    ...toServerPin(serverIdentity(config, cwd)),
    definition: hashCanonical({ startTool, cwd, files }),
  })
  const isAllowed = (pin: Pin) =>
    [...allowed, ...stored().map((grant) => grant.pin)].some((each) => isSamePin(each, pin))

  async function ask(client: McpClient, files: readonly string[]): Promise<void> {
    const { signal } = lifetime
    if (askPerson === undefined || signal.aborted) return
    const { name: server, origin } = client
    const ref = { server, tool: startTool }
    const command = { words: origin.split(' '), isExact: true, cwd }
    const title = `Start the MCP server ${showHidden(JSON.stringify(server))} with files of this folder`
    const apart = {
      ref,
      title,
      kind: 'execute',
      args: { command: origin, folder: cwd, files },
      plan: { effect: 'run', sensitive: files, command: { line: origin, cwd } },
      lasting: { type: 'command', command },
    } as const
    const { askApart } = await import('./ask-apart.ts')
    await askApart({ ask: askPerson, calls, logger }, apart, signal, async ({ scope }) => {
      const pin = pinOf(client, files)
      allowed.push(pin)
      if (scope === 'always') await grants.add([{ ref, pin, verdict: 'allow', scope, command }])
    })
    if (!isAllowed(pinOf(client, files))) return
    if (!client.isAnticipated) return client.reconnect()
    // Its next use starts it.
    client.wake()
    await client.settled
  }

  /** Settles when the question about this start is answered. Undefined if it needs none. */
  function askOnce(client: McpClient): Promise<void> | undefined {
    const { name, failure } = client
    if (failure?.code !== 'mcp.unconfirmed_start') return undefined
    const files = failure.data['files'] as readonly string[]
    const { identity, definition } = pinOf(client, files)
    const key = `${identity} ${definition}`
    const before = asked.get(name)
    if (before?.key === key) return before.answered
    last = last.then(() => ask(client, files))
    asked.set(name, { key, answered: last })
    return last
  }

  return {
    async prepareStart(config) {
      if (config.cwd !== undefined) return config
      const { findFolderPrograms, withoutFolder } = await import('../policy/find-folder-programs.ts')
      const files = await findFolderPrograms(config, cwd, home)
      if (files.length === 0) return withoutFolder(config, stateDir && join(stateDir, 'empty'))
      if (isAllowed(pinOf({ config }, files))) return config
      const why = askPerson === undefined ? 'nobody can be asked' : 'it waits for your yes'
      throw new OstlerError(
        'mcp.unconfirmed_start',
        `not started: ${why}, because files of this folder decide what its command runs:\n${files.map((file) => `- ${file}`).join('\n')}`,
        { data: { files } },
      )
    },
    askAgain(names) {
      for (const name of names) asked.delete(name)
    },
    look(clients) {
      for (const client of clients) void askOnce(client)
    },
    async use(client, signal) {
      try {
        await client.use({ signal })
      } catch (error) {
        const answered = askOnce(client)
        if (answered === undefined) throw error
        await orAborted(answered, signal, undefined)
        await client.use({ signal })
      }
    },
    [Symbol.dispose]: () => lifetime.abort(),
  }
}
