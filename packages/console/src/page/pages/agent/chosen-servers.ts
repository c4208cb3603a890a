import { useOfStoredServer, type StoredServerUse } from '@ostler/agent-api/browser'
import type { AgentSettings, AgentView } from '../../../api.ts'

type Server = AgentView['servers'][number]

export function useOf(
  { name, origin, enabled, shadowed }: Pick<Server, 'name' | 'origin' | 'enabled' | 'shadowed'>,
  { mcpServers, storedServers }: Pick<AgentSettings, 'mcpServers' | 'storedServers'>,
): StoredServerUse {
  if (origin === 'file') return (mcpServers[name]?.enabled ?? true) ? 'used' : 'not-chosen'
  return useOfStoredServer({ name, enabled }, { choice: storedServers, fileServers: shadowed ? [name] : [] })
}

/** Whether these settings select the server. It may still be disabled or overridden. */
export function isChosen(server: Server, settings: AgentSettings): boolean {
  return useOf(server, settings) !== 'not-chosen'
}

const obstacles: Readonly<Record<StoredServerUse, string | undefined>> = {
  used: undefined,
  'not-chosen': undefined,
  shadowed: 'Overridden by ostler.yaml',
  disabled: 'Disabled',
}

/** Why the agent would not use the server, even if it was selected. */
export function obstacleOf(server: Server): string | undefined {
  return obstacles[useOf(server, { mcpServers: {}, storedServers: 'all' })]
}

/** The settings with one server added or removed. Removing one from `all` leaves a list of the others. */
export function setUsed(
  { name, origin }: Pick<Server, 'name' | 'origin'>,
  isOn: boolean,
  settings: AgentSettings,
  servers: readonly Server[],
): AgentSettings {
  if (origin === 'file') {
    const before = settings.mcpServers[name] ?? { enabled: true, mode: 'dynamic' as const }
    return { ...settings, mcpServers: { ...settings.mcpServers, [name]: { ...before, enabled: isOn } } }
  }
  const stored = servers.filter((server) => server.origin === 'stored')
  const used = stored
    .filter((server) => (server.name === name ? isOn : isChosen(server, settings)))
    .map((server) => server.name)
  return { ...settings, storedServers: used.length === 0 ? 'none' : used }
}
