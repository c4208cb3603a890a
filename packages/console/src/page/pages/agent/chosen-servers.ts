import { isChosen as isStoredChosen } from '@ostler/agent-api/stored-choice'
import type { AgentSettings, AgentView } from '../../../api.ts'

type Server = AgentView['servers'][number]

/** Whether these settings select the server. It may still be disabled or overridden. */
export function isChosen({ name, origin }: Pick<Server, 'name' | 'origin'>, settings: AgentSettings): boolean {
  if (origin === 'file') return settings.mcpServers[name]?.enabled ?? true
  return isStoredChosen(name, settings.storedServers)
}

/** Why the agent does not use a selected server. */
export function obstacleOf({ origin, enabled, shadowed }: Pick<Server, 'origin' | 'enabled' | 'shadowed'>): string | undefined {
  if (shadowed) return 'Overridden by ostler.yaml'
  return origin === 'stored' && !enabled ? 'Disabled' : undefined
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
  const used = stored.filter((server) => (server.name === name ? isOn : isChosen(server, settings))).map((server) => server.name)
  return { ...settings, storedServers: used.length === 0 ? 'none' : used }
}
