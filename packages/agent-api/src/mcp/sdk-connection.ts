import { LOG_LEVEL_META_KEY, type Client, type RequestOptions } from '@modelcontextprotocol/client'
import { messageOf } from '../base/errors.ts'
import { mapInSlices } from '../base/in-slices.ts'
import { isRecord } from '../base/is-record.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { ToolArguments } from '../messages/tool.ts'
import { callTimes } from './call-clock.ts'
import { cleanListed } from './clean-listed.ts'
import { cleanMessage, cleanText, sanitizePrompts, sanitizeTools, type Sanitized } from './sanitize.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { toToolResult } from './from-mcp-content.ts'
import { listenForChanges } from './listen-for-changes.ts'
import type {
  McpPromptResult,
  McpRequestOptions,
  McpServerIdentity,
  McpSuggestions,
  McpToolDefinition,
} from './mcp-client.ts'
import { neededPages, pagesNotVisited, type NeededPage } from './needed-pages.ts'
import type { EstablishedClient } from './sdk-client.ts'
import { createSdkRequests, withMeta, type RawAnswer, type RequestMeta } from './sdk-requests.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'
import { createIconReader } from './read-icons.ts'
import { createResourceRequests } from './resource-requests.ts'
import { createTaskRequests } from './task-requests.ts'
import { carriedRaw } from './transports/carry-raw.ts'
import { headerArgumentFault, usesHeaderArguments } from './x-mcp-header.ts'

const promptMessagesMax = 1_000
const identityLengthMax = 200
const capabilitiesMax = 100
const capabilityLengthMax = 100
const logLevelMsMax = 10_000
const completionsMax = 100
const completionCharsMax = 500

export function createSdkConnection(established: EstablishedClient, options: ConnectOptions): Connection {
  const { client, wire } = established
  const { config, redactor } = options
  const era = client.getProtocolEra() ?? 'legacy'
  const logs = client.getServerCapabilities()?.logging !== undefined
  /** Later revisions have another kind of task, which a client must ask for. */
  const hasTasks =
    era === 'legacy' && client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined
  const requests = createSdkRequests(established, options.onLost, metaOf)
  const stopListening = era === 'modern' ? listenForChanges(client, options) : () => {}
  const { stop: stopResources, ...resources } = createResourceRequests(client, requests, options)
  let headerTools: ReadonlyMap<string, McpToolDefinition> = new Map()

  function callTool(name: string, args: ToolArguments, how: RequestOptions): Promise<RawAnswer> {
    const tool = headerTools.get(name)
    if (tool === undefined) return requests.send('tools/call', { name, arguments: args }, how)
    // Only the SDK's own method maps arguments to headers.
    const toolDefinition = { name, inputSchema: { ...tool.inputSchema, type: 'object' as const } }
    return client
      .callTool({ name, arguments: { ...args }, ...withMeta(metaOf()) }, { ...how, toolDefinition })
      .then(carriedRaw)
  }

  /** From revision 2026-07-28 on, each request says what may be logged. */
  function metaOf(): RequestMeta | undefined {
    return logs && era === 'modern' ? { [LOG_LEVEL_META_KEY]: options.log.level } : undefined
  }

  async function setLogLevel(requestOptions: McpRequestOptions): Promise<void> {
    if (logs && era === 'legacy')
      await requests.request('logging/setLevel', { level: options.log.level }, requestOptions)
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

  // Optional, so nothing waits for it.
  setLogLevel({ signal: AbortSignal.timeout(logLevelMsMax) }).catch((error: unknown) => {
    options.logger.debug(`MCP server ${config.name}: the log level could not be set`, {
      error: messageOf(error),
    })
  })

  return {
    ...createTaskRequests(requests, config.callTimeoutMs),
    ...resources,
    server: identityOf(client, redactor),
    capabilities: capabilitiesOf(client),
    era,
    get lost() {
      return requests.lost
    },
    get isBusy() {
      return requests.isBusy
    },
    get isAsking() {
      return established.questions.count > 0
    },
    get heardAt() {
      return requests.heardAt
    },
    // Revisions from 2026-07-28 on have no ping, because each request stands alone.
    ...(era === 'legacy' && { ping: requests.ping }),
    async listTools(signal) {
      if (client.getServerCapabilities()?.tools === undefined) return { items: [], warnings: [] }
      const pages = await requests.list('tools/list', 'tools', signal)
      return usable(
        withWarning(
          await sanitizeTools(pages.items, (part) => cleanListed(part, redactor), { hasTasks }),
          pages.warning,
        ),
      )
    },
    async listPrompts(signal) {
      if (client.getServerCapabilities()?.prompts === undefined) return { items: [], warnings: [] }
      const pages = await requests.list('prompts/list', 'prompts', signal)
      return withWarning(
        await sanitizePrompts(pages.items, (part) => cleanListed(part, redactor)),
        pages.warning,
      )
    },
    async callTool(name, args, callOptions) {
      const times = callTimes(callOptions.timeoutMs ?? config.callTimeoutMs)
      const run = () => requests.run(times, callOptions, (how) => callTool(name, args, how))
      const visit = (page: NeededPage) => established.questions.openPage(page, callOptions.signal)
      return toToolResult(await run().catch((error: unknown) => afterPages(error, run, visit, redactor)))
    },
    async getPrompt(name, args, requestOptions) {
      const raw = await requests.request('prompts/get', { name, arguments: args }, requestOptions)
      return toPromptResult(raw, redactor)
    },
    async request(method, params, requestOptions) {
      await requests.request(method, params, requestOptions)
    },
    async complete({ argument, value, known, ...of }, requestOptions) {
      if (client.getServerCapabilities()?.completions === undefined) return { values: [], hasMore: false }
      const ref =
        'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template }
      const params = { ref, argument: { name: argument, value }, context: { arguments: known } }
      return toSuggestions(
        (await requests.request('completion/complete', params, requestOptions))['completion'],
        redactor,
      )
    },
    setLogLevel,
    async [Symbol.asyncDispose]() {
      requests.stop()
      stopListening()
      stopResources()
      await wire.close()
    },
  }
}

/** Asks the person to visit the pages that a call needs, then repeats the call, once. It certainly did not run before. */
async function afterPages(
  error: unknown,
  run: () => Promise<RawAnswer>,
  visit: (page: NeededPage) => Promise<boolean>,
  redactor: Redactor,
): Promise<RawAnswer> {
  const pages = neededPages(error, redactor)
  if (pages.length === 0) throw error
  for (const page of pages) if (!(await visit(page))) throw pagesNotVisited(pages, error)
  return run().catch((again: unknown) => {
    throw neededPages(again, redactor).length > 0 ? pagesNotVisited(pages, again) : again
  })
}

async function toPromptResult(raw: RawAnswer, redactor: Redactor): Promise<McpPromptResult> {
  const messages = Array.isArray(raw['messages']) ? raw['messages'].slice(0, promptMessagesMax) : []
  const description = cleanText(raw['description'], redactor)
  const contents = await mapInSlices(messages, (message) =>
    cleanMessage(message?.content, redactor).map((content) => ({
      role: message?.role === 'assistant' ? ('assistant' as const) : ('user' as const),
      content,
    })),
  )
  return { ...(description !== '' && { description }), messages: contents.flat() }
}

/** A value that had to be cleaned could not be used as it is shown. */
function toSuggestions(completion: unknown, redactor: Redactor): McpSuggestions {
  const { values, hasMore, total } = isRecord(completion) ? completion : {}
  const all = Array.isArray(values) ? values : []
  const usable = all
    .slice(0, completionsMax)
    .filter(
      (text): text is string =>
        typeof text === 'string' &&
        text !== '' &&
        text.length <= completionCharsMax &&
        cleanText(text, redactor) === text,
    )
  return {
    values: usable,
    hasMore:
      hasMore === true || usable.length < all.length || (typeof total === 'number' && total > all.length),
  }
}

/** Limited, because a server may declare anything. */
function capabilitiesOf(client: Client): string[] {
  const names = Object.entries(client.getServerCapabilities() ?? {}).flatMap(([name, value]) => {
    const inner = isRecord(value)
      ? Object.entries(value).flatMap(([key, set]) =>
          set === true || isRecord(set) ? [`${name}.${key}`] : [],
        )
      : []
    return [name, ...inner]
  })
  return names.map((name) => stripHiddenLine(name).slice(0, capabilityLengthMax)).slice(0, capabilitiesMax)
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
    ...createIconReader()(info?.icons),
    ...(client.getServerCapabilities()?.resources !== undefined && { hasResources: true }),
  }
}

function withWarning<T>(list: Sanitized<T>, warning: string | undefined): Sanitized<T> {
  return warning === undefined ? list : { items: list.items, warnings: [...list.warnings, warning] }
}
