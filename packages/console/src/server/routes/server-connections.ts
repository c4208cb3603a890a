import { type CallSummary, openRedirectListener, type StoredCall } from '@ostler/agent-api/internal'
import { capabilitiesOf, type DiscoveredTool, toDiscoveredTools } from '@ostler/workbench'
import { z } from 'zod'
import type {
  CallProgress,
  Connected,
  ListedTool,
  LoginProgress,
  McpPromptResult,
  ResourceContent,
  ServerView,
  ToolCatalog,
} from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { linesOf } from '../line-queue.ts'
import { failureOf, requireConsentToConnect } from '../server-consent.ts'
import { serverRoutes, serviceRoutes } from './route-table.ts'

const connectSchema = z.strictObject({ isFresh: z.boolean().default(false) })
const callSchema = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})
const promptSchema = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
})
const readSchema = z.strictObject({ uri: z.string() })

export function serverConnectionRoutes(context: ConsoleContext) {
  const { audit } = context
  return [
    ...serviceRoutes(context, {
      async 'GET /api/tools'({ service, signal }): Promise<ToolCatalog> {
        const all = await service.listServers()
        const servers = all.filter(({ status }) => status.state === 'connected')
        return {
          servers: await Promise.all(
            servers.map(async (server) => {
              const tools = toDiscoveredTools(await service.server(server.id).use({ signal }))
              return { ...toCatalogServer(server), tools: tools.map(toListedTool) }
            }),
          ),
          others: all.filter((server) => !servers.includes(server)).map(toCatalogServer),
        }
      },
    }),
    ...serverRoutes(context, {
      async 'POST /connect'({ view, server, consented, signal }): Promise<Connected> {
        const { isFresh } = await consented(connectSchema)
        const isConnected = view.status.state === 'connected'
        const connect = async () =>
          capabilitiesOf(await server.use({ signal }), signal, isFresh && isConnected)
        // Reading a connected server changes nothing, so it is not recorded.
        const { log: _, ...capabilities } = await (isConnected
          ? connect()
          : audit.run('connect-server', { server: view.name }, connect))
        return capabilities
      },
      'POST /disconnect': ({ view, server }) =>
        audit.run('disconnect-server', { server: view.name }, () => server.disconnect()),
      'POST /call': async ({ view, consented, signal }) =>
        call(context, view.id, await consented(callSchema), signal),
      async 'POST /read'({ view, server, consented, signal }): Promise<ResourceContent> {
        const { uri } = await consented(readSchema)
        const content = await audit.run('read-resource', { server: view.name, uri }, async () =>
          (await server.use({ signal })).client.readResource(uri, { signal }),
        )
        return { content }
      },
      async 'POST /prompt'({ view, server, consented, signal }): Promise<McpPromptResult> {
        const { name, arguments: args } = await consented(promptSchema)
        return audit.run('get-prompt', { server: view.name, name, arguments: args }, async () =>
          (await server.use({ signal })).client.getPrompt(name, args, { signal }),
        )
      },
    }),
  ]
}

function toListedTool({ name, title, description, icons, leftOut }: DiscoveredTool): ListedTool {
  return { name, title, description, icons, leftOut }
}

function toCatalogServer({ id, name, shadowed }: ServerView) {
  return { id, name, shadowed }
}

/** Undefined if the history has no such call, or cannot be read: the result is shown all the same. */
function findSummary({ state }: ConsoleContext, id: string): CallSummary | undefined {
  try {
    const { arguments: _args, result: _result, ...call } = state.calls.find(id) as StoredCall
    return call
  } catch {
    return undefined
  }
}

async function* call(
  context: ConsoleContext,
  id: string,
  { tool, arguments: args }: z.output<typeof callSchema>,
  signal: AbortSignal,
): AsyncGenerator<CallProgress> {
  const { agent, logger } = context
  const service = await agent.service()
  try {
    // The agent file may have changed since.
    await requireConsentToConnect(await service.getServer(id), {}, context)
  } catch (error) {
    yield { type: 'failed', error: failureOf(error, logger) }
    return
  }
  yield* linesOf<CallProgress>((push) =>
    service
      .server(id)
      .call(tool, args, {
        origin: 'console',
        onProgress: (text) => push({ type: 'progress', text }),
        signal,
      })
      .then(
        ({ callId, outcome, result }) =>
          push({ type: 'ended', callId, call: findSummary(context, callId), outcome, result }),
        (error: unknown) => push({ type: 'failed', error: failureOf(error, logger) }),
      ),
  )
}

/** Logs in to a remote server with OAuth. The page shows the address, and the browser's return is received here. */
export function serverLoginRoutes(context: ConsoleContext) {
  const { audit, logger } = context
  return serverRoutes(context, {
    async 'POST /login'({ service, view: { id, name }, consented, signal }) {
      await consented()
      return linesOf<LoginProgress>(async (push) => {
        try {
          const show = (url: string) => push({ type: 'open', url })
          await audit.run('log-in', { server: name }, () =>
            service.logIn(id, { signal, listen: () => openRedirectListener(0), show }),
          )
          push({ type: 'done' })
        } catch (error) {
          push({ type: 'failed', error: failureOf(error, logger) })
        }
      })
    },
  })
}
