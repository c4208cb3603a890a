import type { CallSummary, DiscoveredTool, StoredCall } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type {
  CallProgress,
  CallTool,
  CatalogServer,
  Confirmed,
  Connected,
  ListedTool,
  PromptMessages,
  ResourceContent,
  ServerView,
  ToolCatalog,
} from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { json, type Route } from '../http/route.ts'
import { linesOf } from '../line-queue.ts'
import { parseRequest } from '../parse-request.ts'
import { connectable, consentFields, failureOf } from '../server-consent.ts'
import { serviceRoute } from './service-route.ts'

const connectSchema = z.strictObject({ ...consentFields, isFresh: z.boolean().default(false) })
const callSchema = z.strictObject({ ...consentFields, tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const promptSchema = z.strictObject({ ...consentFields, name: z.string(), arguments: z.record(z.string(), z.string()).default({}) })
const readSchema = z.strictObject({ ...consentFields, uri: z.string() })

/** Connect and disconnect a server, call its tools, read its resources, and get its prompts. */
export function serverConnectionRoutes(context: ConsoleContext): readonly Route[] {
  const { audit } = context
  return [
    serviceRoute(context, 'POST', '/api/servers/:id/connect', async ({ service, id, body, signal }) => {
      const { isFresh, ...confirmed } = parseRequest(connectSchema, body ?? {})
      const { id: server, name, status } = await connectable(service, id, confirmed, context)
      const connect = () => service.connect(server, { signal, isFresh: isFresh && status.state === 'connected' })
      // Reading a connected server changes nothing, so it is not recorded.
      const connected = status.state === 'connected' ? connect() : audit.run('connect-server', { server: name }, connect)
      const { log: _, ...capabilities } = await connected
      return json(capabilities satisfies Connected)
    }),
    serviceRoute(context, 'GET', '/api/tools', async ({ service, signal }) => {
      const all = await service.listServers()
      const servers = all.filter(({ status }) => status.state === 'connected')
      const catalog: ToolCatalog = {
        servers: await Promise.all(
          servers.map(async (server) => {
            const tools = await service.discoverTools(server.id, { signal })
            return { ...toCatalogServer(server), tools: tools.map(toListedTool) }
          }),
        ),
        others: all.filter((server) => !servers.includes(server)).map(toCatalogServer),
      }
      return json(catalog)
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/disconnect', async ({ service, id }) => {
      const server = await service.getServer(id)
      await audit.run('disconnect-server', { server: server.name }, () => service.disconnect(server.id))
      return json({})
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/call', async ({ service, id, body, signal }) => {
      const request: CallTool & Confirmed = parseRequest(callSchema, body)
      const server = await connectable(service, id, request, context)
      return { type: 'lines', lines: call(context, server.id, request, signal) }
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/read', async ({ service, id, body, signal }) => {
      const { uri, ...confirmed } = parseRequest(readSchema, body)
      const server = await connectable(service, id, confirmed, context)
      const read = () => service.readResource(server.id, uri, { signal })
      const content = await audit.run('read-resource', { server: server.name, uri }, read)
      return json({ content } satisfies ResourceContent)
    }),
    serviceRoute(context, 'POST', '/api/servers/:id/prompt', async ({ service, id, body, signal }) => {
      const { name, arguments: args, ...confirmed } = parseRequest(promptSchema, body)
      const server = await connectable(service, id, confirmed, context)
      const get = () => service.getPrompt(server.id, name, args, { signal })
      return json((await audit.run('get-prompt', { server: server.name, name, arguments: args }, get)) satisfies PromptMessages)
    }),
  ]
}

function toListedTool({ name, title, description, icons, leftOut }: DiscoveredTool): ListedTool {
  const more = { ...(title !== undefined && { title }), ...(icons !== undefined && { icons }), ...(leftOut !== undefined && { leftOut }) }
  return { name, description, ...more }
}

function toCatalogServer({ id, name, shadowed }: ServerView): CatalogServer {
  return { id, name, shadowed }
}

/** Undefined if the history has no such call, or cannot be read: the result is shown all the same. */
function findSummary({ history }: ConsoleContext, id: string): CallSummary | undefined {
  try {
    const { arguments: _args, result: _result, ...call } = history.findCall(id) as StoredCall
    return call
  } catch {
    return undefined
  }
}

async function* call(
  context: ConsoleContext,
  id: string,
  { tool, arguments: args, ...confirmed }: CallTool & Confirmed,
  signal: AbortSignal,
): AsyncGenerator<CallProgress> {
  const { agent, logger } = context
  const service = await agent.service()
  try {
    // The agent file may have changed since.
    await connectable(service, id, confirmed, context)
  } catch (error) {
    yield { type: 'failed', error: failureOf(error, logger) }
    return
  }
  yield* linesOf<CallProgress>((push) =>
    service.callTool(id, tool, args, { origin: 'console', onProgress: (text) => push({ type: 'progress', text }), signal }).then(
      ({ callId, outcome, result }) => push({ type: 'ended', callId, call: findSummary(context, callId), outcome, result }),
      (error: unknown) => push({ type: 'failed', error: failureOf(error, logger) }),
    ),
  )
}
