import { hashCanonical, isSamePin, toServerPin, type Pin } from '../policy/always-allow/definition-pin.ts'
import type { GrantStore } from '../policy/always-allow/grant.ts'
import type { Ask } from '../policy/question.ts'
import { createQuestionQueue } from '../policy/question-queue.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { askApart, type AskApartOptions } from './ask-apart.ts'

/** A program in a fence wants to reach a host that no setting names. */
export interface AskedHost {
  /** Undefined for a command, which gets no answer for longer than the session. */
  readonly server: McpServerConfig | undefined
  readonly host: string
}

export type AskHostOf = (asked: AskedHost, signal: AbortSignal) => Promise<boolean>

interface HostConsentOptions extends Omit<AskApartOptions, 'ask'> {
  /** Undefined if nobody can be asked. */
  readonly ask: Ask | undefined
  readonly grants: GrantStore
  readonly cwd: string
}

/** The tool name under which the history and the grants store the answers. */
const connectTool = 'connect'

/** Binds an answer to the server as it is now. */
function pinOf(server: McpServerConfig, cwd: string): Pin {
  return { ...toServerPin(serverIdentity(server, cwd)), definition: hashCanonical({ connectTool }) }
}

/** Unreadable grants allow nothing. */
export function isGrantedHost(
  grants: Pick<GrantStore, 'list'>,
  cwd: string,
  { server, host }: Required<AskedHost>,
): boolean {
  if (server === undefined) return false
  const own = pinOf(server, cwd)
  try {
    return grants
      .list()
      .some(({ ref, origin, pin }) => ref.tool === connectTool && origin === host && isSamePin(pin, own))
  } catch {
    return false
  }
}

/** Asks in a session: once, for the session, or always. One question at a time, because an answer may answer the next one. */
export function createHostConsent({ ask, grants, cwd, calls, logger }: HostConsentOptions): AskHostOf {
  const inTurn = createQuestionQueue()
  const ofSession = new Set<string>()

  return ({ server, host }, signal) =>
    inTurn(async () => {
      const pin = server && pinOf(server, cwd)
      const key = JSON.stringify([pin, host])
      let isAllowed = ofSession.has(key)
      if (isAllowed || ask === undefined || signal.aborted) return isAllowed
      const ref = { server: server?.name ?? null, tool: connectTool }
      const who = server === undefined ? 'a command' : `the MCP server ${JSON.stringify(server.name)}`
      const about = {
        ref,
        title: `Connect ${who} to ${host}`,
        kind: 'fetch',
        args: { host },
        lasting: { type: 'host', host, isForServer: server !== undefined },
      } as const
      await askApart({ ask, calls, logger }, about, signal, async ({ scope }) => {
        isAllowed = true
        if (scope !== 'once') ofSession.add(key)
        if (scope === 'always' && pin !== undefined)
          await grants.add([{ ref, pin, verdict: 'allow', scope, origin: host }])
      })
      return isAllowed
    })
}
