import type { Icon } from '@ostler/agent-api/internal'

/** ACP has no field for icons. */
export function toIconMeta(icons: readonly Icon[]): { _meta?: { 'ostler/icons': Icon[] } } {
  return icons.length === 0 ? {} : { _meta: { 'ostler/icons': [...icons] } }
}
