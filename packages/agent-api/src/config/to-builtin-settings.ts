import type { BuiltinSettings } from '../workspace/builtin-tools.ts'
import type { AgentFile } from './agent-file-schema.ts'
import { toToolConfig } from './to-agent-server.ts'

export function toBuiltinSettings({ tools }: AgentFile): BuiltinSettings {
  const entries = Object.entries(tools).map(([name, entry]) => [
    name,
    typeof entry === 'boolean' ? { enabled: entry } : toSettings(entry),
  ])
  return Object.fromEntries(entries) as BuiltinSettings
}

type BuiltinEntry = Exclude<NonNullable<AgentFile['tools'][keyof AgentFile['tools']]>, boolean>

function toSettings(entry: BuiltinEntry) {
  return {
    enabled: entry.enabled,
    ...toToolConfig(entry),
    ...('timeoutMax' in entry && { timeoutMsMax: entry.timeoutMax }),
    ...('keepVariables' in entry && { keepVariables: entry.keepVariables }),
    ...('privateHosts' in entry && { privateHosts: entry.privateHosts }),
  }
}
