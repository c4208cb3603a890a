/** Explains a failed connection by the system's error code, anywhere in the chain of causes. */
export function networkFailureOf(error: unknown): string | undefined {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 6;
    cause = cause.cause, depth++
  ) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code !== undefined && Object.hasOwn(networkTexts, code)) return networkTexts[code]
    if (/^(?:CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code ?? '')) {
      return `the server's certificate cannot be trusted (${code})`
    }
    if (cause instanceof AggregateError && cause.errors.length > 0) return networkFailureOf(cause.errors[0])
  }
  // The SSE transport keeps the code in its message only.
  const kept = /^SSE error: .*?\b(E[A-Z]{4,}|UND_ERR_[A-Z_]+)\b/.exec((error as Error)?.message ?? '')
  return kept?.[1] === undefined ? undefined : networkTexts[kept[1]]
}

/** The request was sent, and nobody knows what became of it. */
export const connectionLost = 'connection lost; the tool may have run'

const networkTexts: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: connectionLost,
  ECONNABORTED: connectionLost,
  EPIPE: connectionLost,
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not respond',
  UND_ERR_HEADERS_TIMEOUT: 'the server does not respond',
  UND_ERR_BODY_TIMEOUT: connectionLost,
  UND_ERR_SOCKET: connectionLost,
}

/** The error of `fetch` for a port of another protocol, such as 9 or 25. */
export const badPort = 'bad port'

export const blockedPort = 'its port is not allowed for http; choose another one'
