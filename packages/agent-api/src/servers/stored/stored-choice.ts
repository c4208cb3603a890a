// Imports nothing, because the page of the console uses these rules in a browser.

/** The setting `storedServers` of an agent file. */
export type StoredChoice = 'all' | 'none' | readonly string[]

export interface AgentFileServers {
  readonly choice: StoredChoice
  readonly fileServers: readonly string[]
}

/** Says whether an agent uses a stored server, or why not. */
export type StoredServerUse = 'used' | 'disabled' | 'shadowed' | 'not-chosen'

export function useOfStoredServer(
  { name, enabled }: { readonly name: string; readonly enabled: boolean },
  { choice, fileServers }: AgentFileServers,
): StoredServerUse {
  if (!isChosen(name, choice)) return 'not-chosen'
  if (isShadowed(name, fileServers)) return 'shadowed'
  return enabled ? 'used' : 'disabled'
}

export function isChosen(name: string, choice: StoredChoice): boolean {
  return choice === 'all' || (choice !== 'none' && choice.includes(name))
}

/** If two servers have the same name, the agent uses the one of its file. */
export function isShadowed(name: string, fileServers: readonly string[]): boolean {
  return fileServers.includes(name)
}
