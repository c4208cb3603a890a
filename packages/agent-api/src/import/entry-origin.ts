import type { ServerEntryInput } from '../service/server-service.ts'
import { toServerOrigin } from '../session/server-origin.ts'

const secretMark = /\$\{secret:[^{}]*\}/g

/** The command line in full, or the address, of an entry whose secrets have been taken out; for a person, who must see what would run. */
export function toEntryOrigin(sealed: ServerEntryInput): string {
  const masked = (text: unknown) => String(text).replace(secretMark, '[redacted]')
  const { type, command, args, url } = sealed
  if (type !== 'stdio') return masked(url)
  return toServerOrigin({ type, name: '', command: masked(command), args: Array.isArray(args) ? args.map(masked) : [], env: {} })
}
