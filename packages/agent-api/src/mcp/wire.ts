import { connectionLost } from '../http/network-failure.ts'
import { InsufficientScopeError, ProtocolError, SseError, type Transport } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import { isRefusal } from '../fence/refused-path.ts'
import { quoteWord } from '../base/quote-word.ts'
import { isUnaskable } from './host-requests.ts'
import { webUrl } from './needed-pages.ts'
import { cleanText } from './sanitize.ts'
import type { ConnectOptions } from './connection.ts'
import { explainStart } from './check-server.ts'
import type {
  AcpServerConfig,
  HttpServerConfig,
  McpServerConfig,
  StdioServerConfig,
} from './server-config.ts'
import type { ServerProcess } from './server-process.ts'
import { withLastWords } from './server-text.ts'
import { toMcpError } from './to-mcp-error.ts'
import { guardTransport } from './transports/guard-transport.ts'
import { createHttpTransport, createSseTransport } from './transports/http-transport.ts'
import { createPendingRequests, type PendingRequests } from './transports/pending-requests.ts'
import { createRelayTransport } from './transports/relay-transport.ts'
import { createStdioTransport, type ProcessEnding } from './transports/stdio-transport.ts'

/** A transport that can explain its failures. */
export interface Wire {
  readonly kind: McpServerConfig['type']
  readonly transport: Transport
  explain(error: unknown): Promise<OstlerError>
  explainEnd(): OstlerError
  /** True for an error that the SDK merely reports, although nothing works afterwards. */
  isEnd(error: unknown): boolean
  close(options?: { hurry: boolean }): Promise<void>
}

export function createStdioWire(
  config: StdioServerConfig,
  options: ConnectOptions,
  process?: ServerProcess,
): Wire {
  const { host, log, logger, redactor, timing, fence, loginName } = options
  const pending = createPendingRequests()
  const cwd = config.cwd ?? host.cwd
  const inner = createStdioTransport({ config, cwd, process, fence, timing, pending, logger, redactor })
  log.follow(inner.stderrLines)
  const ended = (ending: ProcessEnding) => {
    const lines = inner.stderrLines()
    const isHeld = fence !== undefined && fence.report.by !== 'nothing'
    // `ostler mcp` does not know the servers of an editor.
    const canLearn = isHeld && loginName !== undefined && lines.some(({ text }) => isRefusal(text))
    const advice = canLearn
      ? `; \`ostler mcp test ${quoteWord(loginName)} --learn\` shows what it wanted in its sandbox`
      : ''
    return withLastWords('mcp.server_stopped', `${describeEnding(ending)}${advice}`, lines, redactor, ending)
  }

  return {
    kind: 'stdio',
    transport: guarded(inner, pending, options),
    async explain(error) {
      const startError = await explainStart(error, config.command, cwd)
      if (startError !== undefined) return startError
      // The exit of the process and its last output may still be pending.
      if (isBrokenPipe(error) || inner.ending !== undefined) await inner.inputBroken
      // An answer of the server, or an error of our own, is final.
      const isSettled = error instanceof ProtocolError || error instanceof OstlerError
      if (inner.ending !== undefined && !isSettled) return ended(inner.ending)
      return toMcpError(error, redactor)
    },
    explainEnd: () =>
      inner.ending === undefined
        ? new OstlerError('mcp.server_stopped', 'the server was stopped')
        : ended(inner.ending),
    isEnd: () => false,
    close: (how) => inner.close(how),
  }
}

export function createHttpWire(
  config: HttpServerConfig,
  kind: 'http' | 'sse',
  options: ConnectOptions,
): Wire {
  const { redactor, login } = options
  const pending = createPendingRequests()
  const create = kind === 'http' ? createHttpTransport : createSseTransport
  const inner = create({ config, pending, login })
  return {
    kind,
    transport: guarded(inner, pending, options),
    async explain(error) {
      const known = toMcpError(error, redactor)
      if (login === undefined || known.code !== 'mcp.needs_authorization') return known
      const { cause } = known
      // A refusal despite a login is a different problem, unless the server names missing scopes.
      if (cause instanceof InsufficientScopeError) return login.needed(cause.requiredScope ?? '')
      return known.data['status'] === 401 ? login.needed() : known
    },
    explainEnd: () => new OstlerError('mcp.connection_lost', connectionLost),
    // The event source would reconnect on its own, to a session that no longer exists.
    isEnd: (error) => kind === 'sse' && error instanceof SseError,
    close: () => inner.close(),
  }
}

/** A server of an editor can only be reached through a relay. */
export function createRelayWire({ serverId }: AcpServerConfig, options: ConnectOptions): Wire {
  const { host, redactor } = options
  if (host.relay === undefined)
    throw new OstlerError('mcp.unreachable', 'only the editor that provides this server can reach it')
  const inner = createRelayTransport(serverId, host.relay)
  return {
    kind: 'acp',
    transport: guarded(inner, createPendingRequests(), options),
    explain: (error) => Promise.resolve(toMcpError(error, redactor)),
    explainEnd: () => new OstlerError('mcp.connection_lost', connectionLost),
    isEnd: () => false,
    close: () => inner.close(),
  }
}

/**
 * A transport that reports unsolicited messages of its server. A question that cannot be asked is declined, and the person is told what it
 * was.
 */
function guarded(inner: Transport, pending: PendingRequests, options: ConnectOptions): Transport {
  const { config, host, logger, redactor, onListChanged, onResourceChanged, log, protocol } = options
  return guardTransport(inner, {
    server: config.name,
    pending,
    logger,
    onListChanged,
    onResourceChanged,
    onLog: log.add,
    declines(params) {
      if (!isUnaskable(host, params)) return false
      const { message, url } = isRecord(params) ? params : {}
      const page = webUrl(url)
      host.onDeclined?.({
        server: config.name,
        message: cleanText(message, redactor),
        url: page,
      })
      return true
    },
    onElicited: (id) => host.onElicited?.(id),
    onMessage: protocol?.add,
  })
}

function isBrokenPipe(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}

function describeEnding(ending: ProcessEnding): string {
  if (ending.kind === 'output_closed') return 'the server closed its output'
  if (ending.signal !== null) return `the server was ended by ${ending.signal}`
  return `the server exited with code ${ending.code}`
}
