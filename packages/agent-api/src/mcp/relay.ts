/** Carries requests to the servers of the program that opened the session. */
export interface McpRelay {
  /** Settles with the answer as it came. Throws `OstlerError` (`mcp.*`) without an answer. An aborted signal cancels the request. */
  request(request: RelayedRequest, options: RelayOptions): Promise<unknown>
}

export interface RelayedRequest {
  readonly serverId: string
  /** Unique in the process: sessions of one editor may use the same server. */
  readonly requestId: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>> | undefined
}

export interface RelayOptions {
  readonly signal: AbortSignal
  /** Gets the notifications that belong to the request, such as its progress. */
  readonly onNotification: (notification: RelayedNotification) => void
}

export interface RelayedNotification {
  readonly method: string
  readonly params: Record<string, unknown> | undefined
}
