import { hasUnseen } from '../base/strip-hidden.ts'

export const serverNameLengthMax = 100

/** Why a name is not valid for a stored server, if it is not. */
export function serverNameProblem(name: string): string | undefined {
  if (typeof name !== 'string' || name === '') return 'must not be empty'
  if (name.length > serverNameLengthMax)
    return `has ${name.length} characters; at most ${serverNameLengthMax}`
  if (hasUnseen(name)) return 'must not contain a line break or a hidden character'
  if (name.trim() !== name) return 'must not begin or end with a space'
  // Ids of agent file servers have this prefix.
  return name.startsWith('file:') ? "must not begin with 'file:'" : undefined
}
