/** Its message is all that a person needs to call the bench again, so it is printed without a stack. */
export class WrongArgument extends Error {}

/** Throws for names that are not known. `kind` is what they should be the names of, as a plural. */
export function checkNames(kind: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new WrongArgument(`unknown ${kind}: ${unknown.join(', ')}. Known: ${known.join(', ')}`)
}

/** Its message, if the run ends with one. Other errors keep their stack. */
export async function wrongArgumentOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof WrongArgument) return error.message
    throw error
  }
}
