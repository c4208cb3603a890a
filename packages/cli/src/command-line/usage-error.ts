/** The command line itself is wrong: it is answered with this, where to read more, and exit code 2. */
export class UsageError extends Error {
  /** Below the message: where the help is, or the help itself. */
  readonly help: string

  constructor(message: string, help: string) {
    super(message)
    this.help = help
  }
}
