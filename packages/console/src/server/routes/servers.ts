import { OstlerError, type ToolArguments } from '@ostler/agent-api'
import { redactValue } from '@ostler/agent-api/internal'
import { previewServer, type NewServer, type ServerPreview, type ServerService, type ServerView } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type {
  AddServer,
  CallProgress,
  CallTool,
  Capabilities,
  Confirmed,
  ResourceContent,
  ServerList,
  TestProgress,
  TestServer,
  UpdateServer,
  Validated,
} from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { json, type Route } from '../http/route.ts'
import { toApiError } from '../http/to-api-error.ts'
import { createLineQueue } from '../line-queue.ts'
import { parseRequest } from '../parse-request.ts'
import { requireConsent } from '../require-consent.ts'

const entry = z.record(z.string(), z.unknown())
const secret = z.strictObject({ env: z.array(z.string()).optional(), headers: z.array(z.string()).optional() })
const consent = {
  confirmed: z.boolean().optional(),
  confirmedCommandLine: z.string().optional(),
  confirmedAddress: z.string().optional(),
}

const addSchema = z.strictObject({ name: z.string(), entry, secret: secret.optional() })
const updateSchema = z.strictObject({
  name: z.string().optional(),
  entry: entry.optional(),
  secret: secret.optional(),
  enabled: z.boolean().optional(),
  ...consent,
})
const draftSchema = addSchema.extend({ id: z.string().optional() })
const testSchema = draftSchema.extend(consent)
const consentSchema = z.strictObject(consent)
const callSchema = z.strictObject({ ...consent, tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const readSchema = z.strictObject({ ...consent, uri: z.string() })

export function serverRoutes(context: ConsoleContext): readonly Route[] {
  const { agent, audit, env, history, logger, exportServers } = context

  /** With an `id`, the draft edits a stored server and holds only the changes. */
  async function preview(service: ServerService, { id, ...draft }: NewServer & { id?: string | undefined }) {
    return previewServer(draft, env, id === undefined ? undefined : await service.getServer(id))
  }

  /** A connected server has already been confirmed. */
  async function connectable(service: ServerService, id: string, confirmed: Confirmed): Promise<ServerView> {
    const server = await service.getServer(id)
    if (server.status.state !== 'connected') await requireConsent(confirmed, previewOf(server))
    return server
  }

  function previewOf(server: ServerView): ServerPreview {
    return previewServer({ name: server.name, entry: {} }, env, server)
  }

  /** An active server restarts with the change, so a new command or address needs confirmation. */
  async function requireConsentToChange(server: ServerView, changed: ServerPreview, confirmed: Confirmed): Promise<void> {
    const { state, willRetry = false } = server.status
    if (state !== 'connected' && state !== 'connecting' && !willRetry) return
    if (changed.issues.length > 0) throw invalidDraft(changed)
    const before = previewOf(server)
    if (changed.commandLine !== before.commandLine || changed.url !== before.url) await requireConsent(confirmed, changed)
  }

  return [
    {
      method: 'GET',
      path: '/api/servers',
      async handle() {
        using borrowed = await agent.borrow()
        const list: ServerList = { servers: await borrowed.service.listServers(), live: history.listLiveServers() }
        return json(list)
      },
    },
    {
      method: 'POST',
      path: '/api/servers',
      async handle({ body }) {
        const server: AddServer = parseRequest(addSchema, body)
        using borrowed = await agent.borrow()
        const details = { name: server.name, entry: previewServer(server, env).entry }
        return json(await audit.run('add-server', details, () => borrowed.service.addServer(server)), 201)
      },
    },
    {
      method: 'POST',
      path: '/api/servers/validate',
      async handle({ body }) {
        const draft = parseRequest(draftSchema, body)
        using borrowed = await agent.borrow()
        const { issues, commandLine } = await preview(borrowed.service, draft)
        const validated: Validated = { issues, commandLine }
        return json(validated)
      },
    },
    {
      method: 'POST',
      path: '/api/servers/test',
      async handle({ body, signal }) {
        const { confirmed, confirmedCommandLine, confirmedAddress, ...draft }: TestServer = parseRequest(testSchema, body)
        using borrowed = await agent.borrow()
        const previewed = await preview(borrowed.service, draft)
        if (previewed.issues.length > 0) throw invalidDraft(previewed)
        await requireConsent({ confirmed, confirmedCommandLine, confirmedAddress }, previewed)
        return { type: 'lines', lines: test(draft, previewed, signal) }
      },
    },
    {
      method: 'GET',
      path: '/api/servers/:id',
      async handle({ params }) {
        using borrowed = await agent.borrow()
        return json(await borrowed.service.getServer(params['id'] ?? ''))
      },
    },
    {
      method: 'PATCH',
      path: '/api/servers/:id',
      async handle({ params, body }) {
        const { confirmed, confirmedCommandLine, confirmedAddress, ...updates }: UpdateServer = parseRequest(updateSchema, body)
        using borrowed = await agent.borrow()
        const server = await borrowed.service.getServer(params['id'] ?? '')
        const { id, name } = server
        const next = previewServer({ name: updates.name ?? name, entry: updates.entry ?? {}, secret: updates.secret }, env, server)
        await requireConsentToChange(server, next, { confirmed, confirmedCommandLine, confirmedAddress })
        const details = { server: name, name: updates.name, enabled: updates.enabled, entry: updates.entry && next.entry }
        return json(await audit.run('update-server', details, () => borrowed.service.updateServer(id, updates)))
      },
    },
    {
      method: 'DELETE',
      path: '/api/servers/:id',
      async handle({ params }) {
        using borrowed = await agent.borrow()
        const { id, name } = await borrowed.service.getServer(params['id'] ?? '')
        return json(await audit.run('remove-server', { server: name }, () => borrowed.service.removeServer(id)))
      },
    },
    {
      method: 'POST',
      path: '/api/servers/:id/connect',
      async handle({ params, body, signal }) {
        const confirmed = parseRequest(consentSchema, body ?? {})
        using borrowed = await agent.borrow()
        const { id, name, status } = await connectable(borrowed.service, params['id'] ?? '', confirmed)
        const connect = () => borrowed.service.connect(id, { signal })
        // Reading a connected server changes nothing, so it is not recorded.
        const connected = status.state === 'connected' ? connect() : audit.run('connect-server', { server: name }, connect)
        const { phases: _, ...capabilities } = await connected
        return json(capabilities satisfies Capabilities)
      },
    },
    {
      method: 'POST',
      path: '/api/servers/:id/disconnect',
      async handle({ params }) {
        using borrowed = await agent.borrow()
        const { id, name } = await borrowed.service.getServer(params['id'] ?? '')
        await audit.run('disconnect-server', { server: name }, () => borrowed.service.disconnect(id))
        return json({})
      },
    },
    {
      method: 'POST',
      path: '/api/servers/:id/call',
      async handle({ params, body, signal }) {
        const { tool, arguments: args, ...confirmed }: CallTool & Confirmed = parseRequest(callSchema, body)
        using borrowed = await agent.borrow()
        const { id } = await connectable(borrowed.service, params['id'] ?? '', confirmed)
        return { type: 'lines', lines: call(id, tool, args, confirmed, signal) }
      },
    },
    {
      method: 'POST',
      path: '/api/servers/:id/read',
      async handle({ params, body, signal }) {
        const { uri, ...confirmed } = parseRequest(readSchema, body)
        using borrowed = await agent.borrow()
        const { id, name } = await connectable(borrowed.service, params['id'] ?? '', confirmed)
        const content = await audit.run('read-resource', { server: name, uri }, () => borrowed.service.readResource(id, uri, { signal }))
        return json({ content } satisfies ResourceContent)
      },
    },
    {
      method: 'GET',
      path: '/api/export',
      async handle() {
        using borrowed = await agent.borrow()
        const servers = (await borrowed.service.listServers()).filter(({ shadowed }) => !shadowed)
        const text = `${JSON.stringify(redactValue({ mcpServers: exportServers(servers) }, context.redactor), null, 2)}\n`
        return { type: 'download', name: 'ostler-servers.json', contentType: 'application/json; charset=utf-8', pieces: only(text) }
      },
    },
  ]

  async function* test(draft: TestServer, { commandLine, entry: shown }: ServerPreview, signal: AbortSignal): AsyncGenerator<TestProgress> {
    using borrowed = await agent.borrow()
    try {
      yield { type: 'started', commandLine }
      const tested = await audit.run('test-server', { name: draft.name, entry: shown }, () =>
        borrowed.service.testServer(draft, { signal }),
      )
      yield { type: 'connected', ...tested }
    } catch (error) {
      yield { type: 'failed', error: failureOf(error) }
    }
  }

  async function* call(
    id: string,
    tool: string,
    args: ToolArguments,
    confirmed: Confirmed,
    signal: AbortSignal,
  ): AsyncGenerator<CallProgress> {
    using borrowed = await agent.borrow()
    try {
      // The agent file may have changed since.
      await connectable(borrowed.service, id, confirmed)
    } catch (error) {
      yield { type: 'failed', error: failureOf(error) }
      return
    }
    const queue = createLineQueue<CallProgress>()
    const onProgress = (text: string) => queue.push({ type: 'progress', text })
    const ended = borrowed.service.callTool(id, tool, args, { origin: 'console', onProgress, signal }).then(
      ({ callId, outcome, result }) => queue.push({ type: 'ended', callId, outcome, result }),
      (error: unknown) => queue.push({ type: 'failed', error: failureOf(error) }),
    )
    void ended.then(() => queue.end())
    try {
      yield* queue
    } finally {
      await ended
    }
  }

  /** The reply has begun, so the error is sent as a line of it. */
  function failureOf(error: unknown) {
    const { status, body } = toApiError(error)
    if (status === 500) logger.error('a request to the console failed', { error: error instanceof Error ? error.stack : String(error) })
    return body
  }
}

function invalidDraft({ issues }: ServerPreview): OstlerError {
  const said = issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
  return new OstlerError('config.invalid', `The server is invalid: ${said}`, { data: { issues } })
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
