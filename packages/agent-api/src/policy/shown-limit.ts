import type { Grant } from './approval.ts'
import { shownCommand } from './command-rules.ts'

/** The limit of a grant, in words for a person. Undefined for a grant for the whole tool. */
export function shownLimit({
  command,
  folder,
  origin,
}: Pick<Grant, 'command' | 'folder' | 'origin'>): string | undefined {
  if (command !== undefined) return shownCommand(command)
  return folder === undefined ? origin : `in ${folder}`
}
