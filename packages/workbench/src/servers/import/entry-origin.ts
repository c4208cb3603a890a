import { maskPlaceholders, toCommandLine } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'

/** The full command line or address of a sealed entry, for a person who must see what would run. */
export function toEntryOrigin(sealed: ServerEntryInput): string {
  const masked = (text: unknown) => maskPlaceholders(String(text))
  const { type, command, args, url } = sealed
  if (type !== 'stdio') return masked(url)
  return toCommandLine([masked(command), ...(Array.isArray(args) ? args.map(masked) : [])])
}
