import { maskPlaceholders } from '../../secret-store/secret-placeholders.ts'
import type { ServerEntryInput } from '../server-service.ts'
import { toCommandLine } from '../../mcp/server-origin.ts'

/** The full command line or address of a sealed entry, for a person who must see what would run. */
export function toEntryOrigin(sealed: ServerEntryInput): string {
  const masked = (text: unknown) => maskPlaceholders(String(text))
  const { type, command, args, url } = sealed
  if (type !== 'stdio') return masked(url)
  return toCommandLine([masked(command), ...(Array.isArray(args) ? args.map(masked) : [])])
}
