import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { SlashCommand } from '@ostler/agent-api'

export function toAcpCommand({ name, description, hint }: SlashCommand): AvailableCommand {
  return hint === undefined ? { name, description } : { name, description, input: { hint } }
}
