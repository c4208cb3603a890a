import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import packageJson from '../../package.json' with { type: 'json' }
import { messageOf, type OstlerError } from '../base/errors.ts'
import { onAbort } from '../base/or-aborted.ts'
import type { ConnectOptions, ProtocolEra } from './connection.ts'
import { answerHostRequests, hostCapabilities, type OpenQuestions } from './host-requests.ts'
import { serverText } from './server-text.ts'
import type { Wire } from './wire.ts'

export interface EstablishedClient {
  readonly client: Client
  readonly wire: Wire
  readonly questions: OpenQuestions
}

/** A failed attempt. Everything that it started has ended. */
export interface FailedAttempt {
  readonly error: OstlerError
  readonly cause: unknown
}

const clientInfo = { name: 'ostler', version: packageJson.version }
const inputRoundsMax = 10
const loggedCharsMax = 300
/** Longer than all of our own timeouts, which apply instead. */
export const sdkTimeoutMs = 24 * 60 * 60_000

const modes: Readonly<Record<ProtocolEra | 'auto', VersionNegotiationMode>> = {
  legacy: 'legacy',
  modern: { pin: '2026-07-28' },
  auto: 'auto',
}

/** Accepts everything. Schemas from servers are never compiled here, because a pattern could block a validator forever. */
const acceptAnything: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/** Starts a new transport and performs the handshake. A client is used for one attempt only. */
export async function establishClient(
  wire: Wire,
  era: ProtocolEra | 'auto',
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<EstablishedClient | FailedAttempt> {
  const { config, host, logger, redactor } = options
  const client = new Client(clientInfo, {
    capabilities: hostCapabilities(host),
    versionNegotiation: { mode: modes[era] },
    jsonSchemaValidator: acceptAnything,
    inputRequired: { maxRounds: inputRoundsMax },
  })
  client.onerror = (error) => {
    logger.debug(`MCP server ${config.name}: ${serverText(messageOf(error), redactor, loggedCharsMax)}`)
    if (wire.isEnd(error)) void wire.close()
  }
  const questions = answerHostRequests(client, config.name, host, logger, redactor)
  // Some steps of the SDK ignore the signal, but all end when the wire closes.
  using _aborting = onAbort(signal, () => void wire.close({ hurry: true }))
  try {
    signal.throwIfAborted()
    await client.connect(wire.transport, { signal, timeout: sdkTimeoutMs })
    signal.throwIfAborted()
    return { client, wire, questions }
  } catch (cause) {
    // Before the wire is closed, because the way the server ended is part of the explanation.
    const error = await wire.explain(signal.aborted ? signal.reason : cause)
    await wire.close({ hurry: true })
    return { error, cause }
  }
}
