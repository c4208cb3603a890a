/** The command line itself is wrong: it is answered with the usage and exit code 2. */
export class UsageError extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
  }
}
