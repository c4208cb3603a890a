export const serverNameLengthMax = 100

/** What keeps this from being the name of a stored server, to be said of the name. */
export function serverNameProblem(name: string): string | undefined {
  if (typeof name !== 'string' || name === '') return 'must not be empty'
  if (name.length > serverNameLengthMax) return `has ${name.length} characters; at most ${serverNameLengthMax}`
  if (/\p{Cc}/u.test(name)) return 'must not hold a line break or another control character'
  if (name.trim() !== name) return 'must not begin or end with a space'
  // An id of a server of the agent file looks like this.
  return name.startsWith('file:') ? "must not begin with 'file:'" : undefined
}
