import { ProtocolError } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import type { Connection, ConnectOptions, ProtocolEra } from './connection.ts'
import { createSdkConnection } from './sdk-connection.ts'
import { establishClient, type EstablishedClient, type FailedAttempt } from './sdk-client.ts'
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './server-config.ts'
import { createHttpWire, createRelayWire, createStdioWire } from './wire.ts'

/** Statuses with which servers that only support the old HTTP+SSE transport answer the first POST. */
const sseFallbackStatuses: ReadonlySet<unknown> = new Set([400, 404, 405, 406])

/** Connects to a server of any supported MCP revision. Leaves nothing behind if it throws. */
export async function connect(options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const { config } = options
  const outcome = await connectBy(config, options, signal)
  if ('error' in outcome) throw outcome.error
  return createSdkConnection(outcome, options)
}

type Outcome = EstablishedClient | FailedAttempt

function connectBy(config: McpServerConfig, options: ConnectOptions, signal: AbortSignal): Promise<Outcome> {
  switch (config.type) {
    case 'stdio':
      return connectStdio(config, options, signal)
    case 'acp':
      return establishClient(createRelayWire(config, options), 'modern', options, signal)
    case 'http':
    case 'sse':
      return connectHttp(config, options, signal)
  }
}

/**
 * Tries `initialize` first. Older servers do not expect the newer discovery request, and may exit or never answer. Servers that only speak
 * the new revision reject `initialize` at once.
 */
async function connectStdio(
  config: StdioServerConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  let { started } = options
  const attempt = (era: ProtocolEra) => {
    const wire = createStdioWire(config, options, started)
    started = undefined
    return establishClient(wire, era, options, signal)
  }
  if (config.protocol === 'legacy') return attempt('legacy')
  if (config.protocol === '2026-07-28') return attempt('modern')
  const [first, second] =
    options.era === 'modern' ? (['modern', 'legacy'] as const) : (['legacy', 'modern'] as const)
  const outcome = await attempt(first)
  if (!('error' in outcome) || signal.aborted) return outcome
  if (
    first === 'legacy'
      ? !refusesInitialize(outcome.cause)
      : outcome.error.code !== 'mcp.incompatible_protocol'
  )
    return outcome
  const other = await attempt(second)
  // The first answer explains the failure better, unless it was about the revision.
  return 'error' in other && !signal.aborted ? { ...outcome, error: asIncompatible(outcome) } : other
}

async function connectHttp(
  config: HttpServerConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const attempt = (kind: 'http' | 'sse', era: ProtocolEra | 'auto') =>
    establishClient(createHttpWire(config, kind, options), era, options, signal)
  if (config.type === 'sse') return attempt('sse', 'legacy')
  const outcome = await attempt('http', eraOverHttp(config, options.era))
  if (!('error' in outcome) || signal.aborted) return outcome
  const { code, data } = outcome.error
  if (code !== 'mcp.http_error' || !sseFallbackStatuses.has(data['status']))
    return { ...outcome, error: asIncompatible(outcome) }
  const other = await attempt('sse', 'legacy')
  return 'error' in other && !signal.aborted
    ? { ...outcome, error: withHint(outcome.error, config.url) }
    : other
}

/** Many addresses are copied without the path of the endpoint. */
function withHint(error: OstlerError, url: string): OstlerError {
  const { code, data, message, cause } = error
  if (data['status'] !== 404 || URL.parse(url)?.pathname.endsWith('/mcp') !== false) return error
  return new OstlerError(code, `${message}. Does the path end in /mcp?`, { data, cause })
}

function eraOverHttp(config: HttpServerConfig, known: ProtocolEra | undefined): ProtocolEra | 'auto' {
  if (config.protocol === 'legacy') return 'legacy'
  if (config.protocol === '2026-07-28') return 'modern'
  return known === 'legacy' ? 'legacy' : 'auto'
}

function refusesInitialize(cause: unknown): boolean {
  return cause instanceof ProtocolError || isUnknownVersion(cause)
}

/** The SDK throws a plain error if the server answers with an unknown revision. */
function isUnknownVersion(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("Server's protocol version is not supported")
}

const unsupportedVersion = -32022

function asIncompatible({ error, cause }: FailedAttempt): OstlerError {
  const isAboutVersion =
    isUnknownVersion(cause) || (cause instanceof ProtocolError && cause.code === unsupportedVersion)
  if (!isAboutVersion) return error
  return new OstlerError(
    'mcp.incompatible_protocol',
    'the server supports no MCP version that Ostler supports',
    { cause },
  )
}
