import type { Grant } from '../approval.ts'
import { shownCommand } from './command-rules.ts'

/** Stores grants beyond a session. */
export interface GrantStore {
  /** Does not include the definitions, which only people read. */
  list(): readonly StoredGrant[]
  /** The text of the tool's definition when the grant was given. Undefined for an older grant, which has none. */
  definitionOf(id: number): string | undefined
  /** Stores all or none. A newer grant for the same tool, or the same command of it, replaces the older. */
  add(grants: readonly Grant[]): Promise<void>
  /** False if there is no such grant. */
  revoke(id: number): Promise<boolean>
}

export interface StoredGrant extends Grant {
  readonly id: number
  readonly createdAt: string
}

/** The limit of a grant, in words for a person. Undefined for a grant for the whole tool. */
export function shownLimit({
  command,
  folder,
  origin,
}: Pick<Grant, 'command' | 'folder' | 'origin'>): string | undefined {
  if (command !== undefined) return shownCommand(command)
  return folder === undefined ? origin : `in ${folder}`
}
