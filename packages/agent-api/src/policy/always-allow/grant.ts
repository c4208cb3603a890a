import type { Grant } from '../approval.ts'
import { shownCommand } from './command-rules.ts'

export interface GrantStore {
  /** Does not include the definitions, which only people read. */
  list(): readonly StoredGrant[]
  /** Undefined for a grant of an older version. */
  definitionOf(id: number): string | undefined
  /** Adds all or nothing. Each replaces an older one for the same tool, or for the same command of it. */
  add(grants: readonly Grant[]): Promise<void>
  revoke(id: number): Promise<boolean>
}

export interface StoredGrant extends Grant {
  readonly id: number
  readonly createdAt: string
}

/** Undefined for a grant for the whole tool. */
export function shownLimit({
  command,
  folder,
  origin,
}: Pick<Grant, 'command' | 'folder' | 'origin'>): string | undefined {
  if (command !== undefined) return shownCommand(command)
  return folder === undefined ? origin : `in ${folder}`
}
