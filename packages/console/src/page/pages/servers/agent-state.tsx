import type { LiveServer, ServerView } from '../../../api.ts'
import { Status } from '../../parts/status.tsx'
import { counted } from '../../text/quantities.ts'
import { toConnectionWords } from './connection-words.ts'

/** True for a server that an agent has open because it is its own: a stored one, or one of its file. */
export function isOf(running: LiveServer, server: Pick<ServerView, 'name' | 'shadowed' | 'transport'>): boolean {
  return running.owner === 'agent' && running.name === server.name && running.transport === server.transport && !server.shadowed
}

/** The worst state first: it is the one a person can do something about. */
const order: readonly LiveServer['status'][] = ['error', 'connecting', 'disconnected', 'connected']

/** The state of a server in the running agents. */
export function AgentState({ used }: { readonly used: readonly LiveServer[] }) {
  const worst = used.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))[0]
  if (worst === undefined) return <Status tone="off">Not in use</Status>
  const { tone, word } = toConnectionWords({ state: worst.status, ...(worst.needsLogin && { needsLogin: worst.needsLogin }) })
  const agents = used.length === 1 ? 'an agent' : counted(used.length, 'agent')
  return <Status tone={tone}>{worst.status === 'connected' ? `In use by ${agents}` : `${word} in ${agents}`}</Status>
}

/** Why agents cannot use a server. */
export function AgentFailures({ used }: { readonly used: readonly LiveServer[] }) {
  const reasons = [...new Set(used.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))]
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} class="server-error wrap">
          {reason}
        </p>
      ))}
    </>
  )
}
