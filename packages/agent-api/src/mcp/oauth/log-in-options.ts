/** What a login needs of whoever has a person in front of it. */
export interface LogInOptions {
  /** Begins to listen for the browser's return. */
  readonly listen: () => Promise<RedirectListener>
  /** Shows the address at which the person logs in: https, or http on this machine. */
  readonly show: (url: string) => void
  /** One that was registered by hand. Otherwise the one of the last time, or one is registered. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** What to ask for, in place of what the server says it needs. */
  readonly scope?: string
  readonly waitMs?: number
}

/** Waits for one request of a browser, on this machine. */
export interface RedirectListener extends AsyncDisposable {
  /** Where the browser is to be sent. */
  readonly url: string
  /** The parameters that it came with. Throws `login.wrong_state` for those that are not accepted, and what the signal says. */
  receive(accepts: (params: URLSearchParams) => boolean, signal: AbortSignal): Promise<URLSearchParams>
}
