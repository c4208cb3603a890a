/** The caller's part of a login: it interacts with the person. */
export interface LogInOptions {
  /** Starts to listen for the browser's redirect. */
  readonly listen: () => Promise<RedirectListener>
  /** Shows the login page's address to the person: https, or http on this machine. */
  readonly show: (url: string) => void
  /** A client registered by hand. By default, the previous one is used, or a new one is registered. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The authorization server for which the client was registered. Another one gets nothing. */
  readonly issuer?: string
  /** A document on the web that describes the client. Used if the authorization server supports that. */
  readonly clientMetadataUrl?: string
  /** The scope to request. By default, what the server says it needs. */
  readonly scope?: string
  /** A resource wider than the server, for which the tokens may be valid. By default, that of the login before. */
  readonly resource?: string
  readonly waitMs?: number
}

/** Waits for one browser request on this machine. */
export interface RedirectListener extends AsyncDisposable {
  /** The redirect address. */
  readonly url: string
  /** Returns the parameters of the request. Throws `login.wrong_state` if they are not accepted, or the signal's reason. */
  receive(accepts: (params: URLSearchParams) => boolean, signal: AbortSignal): Promise<URLSearchParams>
}
