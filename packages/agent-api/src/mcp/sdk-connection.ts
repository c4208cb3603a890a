import { ProtocolError, type Client, type RequestOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import { mapInSlices } from '../base/in-slices.ts'
import { isRecord } from '../base/is-record.ts'
import { exceededLimit } from '../base/json-limits.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { redactOutputs } from '../redaction/redact-result.ts'
import type { ToolArguments } from '../messages/tool.ts'
import { callTimes, createCallClock, type CallTimes } from './call-clock.ts'
import { cleanListed } from './clean-listed.ts'
import { cleanSaid } from './clean-said.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { fromMcpContent, fromMcpResourceContents } from './from-mcp-content.ts'
import { listenForChanges } from './listen-for-changes.ts'
import { readPages } from './list-pages.ts'
import type { McpCallOptions, McpRequestOptions, McpServerIdentity, McpToolDefinition, McpToolResult } from './mcp-client.ts'
import { cleanText, sanitizePrompts, sanitizeText, sanitizeTools, type Sanitized } from './sanitize.ts'
import { sdkTimeoutMs, type EstablishedClient } from './sdk-client.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'
import { carriedRaw } from './transports/carry-raw.ts'
import { LocalFailure } from './transports/local-failure.ts'
import { headerArgumentFault, usesHeaderArguments } from './x-mcp-header.ts'

const requestTimeoutMs = 60_000
const requestTotalMaxMs = 10 * 60_000
/** More than is kept, because some items will be unusable. */
const listedItemsMax = 10_000
/** Limit on one resource, including its URI. */
const resourceLimits = { charsMax: 256 * 1024, depthMax: 32 }
const promptMessagesMax = 1_000
const resourceContentsMax = 2_000
const identityLengthMax = 200
const downErrors: ReadonlySet<string> = new Set(['mcp.unreachable', 'mcp.needs_authorization', 'mcp.needs_login'])

/** A connection based on the SDK's client. */
export function createSdkConnection({ client, wire, questions }: EstablishedClient, options: ConnectOptions): Connection {
  const { config, redactor } = options
  const era = client.getProtocolEra() ?? 'legacy'
  let headerTools: ReadonlyMap<string, McpToolDefinition> = new Map()
  let lost: OstlerError | undefined
  let isDisposed = false
  let running = 0
  let heardAt = performance.now()

  function lose(error: OstlerError) {
    if (lost !== undefined || isDisposed) return
    lost = error
    options.onLost(error)
  }

  client.onclose = () => lose(wire.explainEnd())
  const stopListening = era === 'modern' ? listenForChanges(client, options) : () => {}

  /** Sends one request with its own timeout. */
  async function run<T>(times: CallTimes, callOptions: McpCallOptions, send: (options: RequestOptions) => Promise<T>): Promise<T> {
    const { signal, onProgress } = callOptions
    const clock = createCallClock(times)
    const stopWatching = questions.onChange(() => clock.pause(questions.count > 0))
    // The reason is sent to the server, so it is a fixed text.
    const wireSignal = new AbortController()
    const cancel = () => wireSignal.abort('cancelled by the user')
    const expire = () => wireSignal.abort('timed out')
    signal.addEventListener('abort', cancel, { once: true })
    clock.signal.addEventListener('abort', expire, { once: true })
    running++
    try {
      if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled')
      const answer = await send({
        signal: wireSignal.signal,
        timeout: sdkTimeoutMs,
        onprogress(progress) {
          heardAt = performance.now()
          clock.touch()
          onProgress?.(progress)
        },
      })
      heardAt = performance.now()
      return answer
    } catch (error) {
      if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
      if (clock.signal.aborted) throw clock.signal.reason
      throw await explain(error)
    } finally {
      running--
      // The open questions belonged to a call that was given up.
      if (running === 0 && wireSignal.signal.aborted) questions.cancel()
      stopWatching()
      clock.stop()
      signal.removeEventListener('abort', cancel)
    }
  }

  async function explain(error: unknown): Promise<OstlerError> {
    const explained = await wire.explain(error)
    if (explained.code === 'mcp.http_error' && explained.data['status'] === 404 && wire.transport.sessionId !== undefined) {
      lose(new OstlerError('mcp.connection_lost', 'the server has forgotten this session'))
      return new OstlerError('mcp.connection_lost', 'the server has forgotten this session and did not take the call; call again', {
        cause: error,
      })
    }
    if (downErrors.has(explained.code) && wire.kind !== 'stdio') lose(explained)
    // Calls get the first line only. The server's output is shown to the person in the status.
    const summary = explained.data['summary']
    return typeof summary === 'string'
      ? new OstlerError(explained.code, `${summary}; the tool may have run`, { data: explained.data })
      : explained
  }

  /** Not through `run`: any answer counts, and no call waits for it. */
  async function ping(timeoutMs: number): Promise<void> {
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort('timed out'), timeoutMs).unref()
    try {
      await client.request({ method: 'ping' }, anything, { signal: clock.signal, timeout: sdkTimeoutMs })
    } catch (error) {
      if (clock.signal.aborted) throw new OstlerError('mcp.connection_lost', `the server did not answer within ${timeoutMs / 1_000} s`)
      if (error instanceof ProtocolError && !(error.data instanceof LocalFailure)) return
      const explained = await explain(error)
      const { status } = explained.data
      // A server that merely does not support ping is alive.
      if (lost === undefined && typeof status === 'number' && status < 500) return
      throw explained
    } finally {
      clearTimeout(timer)
    }
    heardAt = performance.now()
  }

  function request(method: string, params: Record<string, unknown>, requestOptions: RequestOptions): Promise<Raw> {
    return client.request({ method, params }, anything, requestOptions).then(carriedRaw)
  }

  function simpleRequest(method: string, params: Record<string, unknown>, requestOptions: McpRequestOptions): Promise<Raw> {
    return run({ silenceMs: requestTimeoutMs, totalMs: requestTotalMaxMs }, requestOptions, (how) => request(method, params, how))
  }

  async function list(method: string, key: string, signal: AbortSignal) {
    return readPages(listedItemsMax, async (cursor) => {
      const page = await simpleRequest(method, cursor === undefined ? {} : { cursor }, { signal })
      if (!Array.isArray(page[key])) throw new OstlerError('mcp.call_failed', `the server answered ${method} without a list`)
      return { items: page[key], nextCursor: page['nextCursor'] }
    })
  }

  function callTool(name: string, args: ToolArguments, how: RequestOptions): Promise<Raw> {
    const tool = headerTools.get(name)
    if (tool === undefined) return request('tools/call', { name, arguments: args }, how)
    // Only the SDK's own method maps arguments to headers.
    const toolDefinition = { name, inputSchema: { ...tool.inputSchema, type: 'object' as const } }
    return client.callTool({ name, arguments: { ...args } }, { ...how, toolDefinition }).then(carriedRaw)
  }

  async function usable(listed: Sanitized<McpToolDefinition>): Promise<Sanitized<McpToolDefinition>> {
    if (era !== 'modern' || wire.kind !== 'http') return listed
    const warnings = [...listed.warnings]
    const withHeaders = new Map<string, McpToolDefinition>()
    const items = await mapInSlices(listed.items, (tool) => {
      if (!usesHeaderArguments(tool.inputSchema)) return [tool]
      const fault = headerArgumentFault(tool.inputSchema)
      if (fault === undefined) withHeaders.set(tool.name, tool)
      else warnings.push(`tool ${JSON.stringify(tool.name)} left out: ${fault}`)
      return fault === undefined ? [tool] : []
    })
    headerTools = withHeaders
    return { items: items.flat(), warnings }
  }

  return {
    server: identityOf(client, redactor),
    era,
    get lost() {
      return lost
    },
    get isBusy() {
      return running > 0
    },
    get heardAt() {
      return heardAt
    },
    // Revisions from 2026-07-28 on have no ping, because each request stands alone.
    ...(era === 'legacy' && { ping }),
    async listTools(signal) {
      if (client.getServerCapabilities()?.tools === undefined) return { items: [], warnings: [] }
      const pages = await list('tools/list', 'tools', signal)
      return usable(withWarning(await sanitizeTools(pages.items, (part) => cleanListed(part, redactor)), pages.warning))
    },
    async listPrompts(signal) {
      if (client.getServerCapabilities()?.prompts === undefined) return { items: [], warnings: [] }
      const pages = await list('prompts/list', 'prompts', signal)
      return withWarning(await sanitizePrompts(pages.items, (part) => cleanListed(part, redactor)), pages.warning)
    },
    async callTool(name, args, callOptions) {
      const times = callTimes(callOptions.timeoutMs ?? config.callTimeoutMs)
      return toToolResult(await run(times, callOptions, (how) => callTool(name, args, how)))
    },
    async getPrompt(name, args, requestOptions) {
      const raw = await simpleRequest('prompts/get', { name, arguments: args }, requestOptions)
      const messages = Array.isArray(raw['messages']) ? raw['messages'].slice(0, promptMessagesMax) : []
      const description = cleanText(raw['description'], redactor)
      return {
        ...(description !== '' && { description }),
        messages: (
          await mapInSlices(messages, (message) =>
            cleanSaid(message?.content, redactor).map((content) => ({
              role: message?.role === 'assistant' ? ('assistant' as const) : ('user' as const),
              content,
            })),
          )
        ).flat(),
      }
    },
    async listResources({ signal }) {
      if (client.getServerCapabilities()?.resources === undefined) return []
      const { items } = await list('resources/list', 'resources', signal)
      return (await mapInSlices(items, (item) => toResource(item, redactor))).flat()
    },
    async readResource(uri, requestOptions) {
      const raw = await simpleRequest('resources/read', { uri }, requestOptions)
      const contents = Array.isArray(raw['contents']) ? raw['contents'].slice(0, resourceContentsMax) : []
      return redactOutputs(
        contents.flatMap((item) => fromMcpResourceContents(item) ?? []),
        redactor,
      )
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
      stopListening()
      await wire.close()
    },
  }
}

type Raw = Readonly<Record<string, unknown>>

/** Accepts any answer: it is the stand-in created by `carryRaw`. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'ostler', validate: (value) => ({ value }) },
}

function toToolResult(raw: Raw): McpToolResult {
  const content = fromMcpContent(raw['content'])
  const structured = raw['structuredContent']
  return { isError: raw['isError'] === true, content, ...(structured !== undefined && { structured }) }
}

function toResource(raw: unknown, redactor: Redactor) {
  if (!isRecord(raw) || exceededLimit(raw, resourceLimits) !== undefined) return []
  const { uri, name, description, mimeType } = redactValue(raw, redactor) as Raw
  if (typeof uri !== 'string') return []
  return [
    {
      uri,
      name: typeof name === 'string' && name !== '' ? stripHiddenLine(name) : uri,
      ...(typeof description === 'string' && { description: sanitizeText(description) }),
      ...(typeof mimeType === 'string' && { mimeType }),
    },
  ]
}

function identityOf(client: Client, redactor: Redactor): McpServerIdentity {
  const info = client.getServerVersion()
  const instructions = cleanText(client.getInstructions(), redactor)
  const shown = (text = '') => stripHiddenLine(cleanText(text, redactor)).slice(0, identityLengthMax)
  return {
    name: shown(info?.title ?? info?.name),
    version: shown(info?.version),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    ...(instructions !== '' && { instructions }),
  }
}

function withWarning<T>(list: Sanitized<T>, warning: string | undefined): Sanitized<T> {
  return warning === undefined ? list : { items: list.items, warnings: [...list.warnings, warning] }
}
