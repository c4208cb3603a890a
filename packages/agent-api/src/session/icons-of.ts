import { embeddedIcons, type Icon } from '../messages/icon.ts'
import type { ToolRef } from '../messages/tool.ts'
import { clientsOf, type SessionState } from './session-state.ts'

/** The icons of a server's tool, or else of the server. An editor would load a remote one without asking. */
export function iconsOf(state: SessionState, { server, tool }: ToolRef): readonly Icon[] {
  const client = server === null ? undefined : clientsOf(state).get(server)
  if (client === undefined) return []
  const own = embeddedIcons(client.tools.find(({ name }) => name === tool)?.icons)
  return own.length > 0 || client.status.state !== 'connected' ? own : embeddedIcons(client.status.server.icons)
}
