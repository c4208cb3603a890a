import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { SlashCommand } from '@ostler/agent-api/internal'
import { toIconMeta } from './to-icon-meta.ts'

export function toAcpCommand({ name, description, hint, icons = [] }: SlashCommand): AvailableCommand {
  return { name, description, ...(hint !== undefined && { input: { hint } }), ...toIconMeta(icons) }
}
