import { previewServer, type NewServer, type ServerPreview, type ServerService } from '@ostler/workbench'
import { z } from 'zod'
import type { AllServers, Confirmed, ServerView, TestProgress, Validated } from '../../api.ts'
import type { ConsoleContext, Environment } from '../context.ts'
import { openFindOwnServer } from '../find-own-server.ts'
import { json, type Reply } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { failureOf, parseConfirmed, requireConsentToChange, requireValid } from '../server-consent.ts'
import { replies, serverRoutes as ofServer, serviceRoutes } from './route-table.ts'

const entry = z.record(z.string(), z.unknown())
const secret = z
  .strictObject({ env: z.array(z.string()).optional(), headers: z.array(z.string()).optional() })
  .optional()

const newSchema = z.strictObject({ name: z.string(), entry, secret })
const updateSchema = newSchema.partial().extend({ enabled: z.boolean().optional() })
const draftSchema = newSchema.extend({ id: z.string().optional() })

export function serverRoutes(context: ConsoleContext) {
  const { agent, audit, consent, env, state, exportServers, strike } = context
  return [
    ...serviceRoutes(context, {
      async 'GET /api/servers'({ service }): Promise<AllServers> {
        const servers = await service.listServers()
        const findOwn = await openFindOwnServer(service, await agent.name(), servers)
        state.changes.look('presence')
        const live = state.presence
          .servers()
          .map((running) => ({ ...running, serverId: findOwn(running, servers)?.id }))
        return { servers, live }
      },
      async 'POST /api/servers/validate'({ service, body }): Promise<Validated> {
        const { issues, commandLine } = await preview(service, parseRequest(draftSchema, body), env)
        return { issues, commandLine }
      },
      async 'POST /api/servers/test'({ service, body, signal }) {
        const [draft, confirmed] = parseConfirmed(draftSchema, body)
        const previewed = await preview(service, draft, env)
        requireValid(previewed)
        await consent.require(confirmed, previewed)
        return test(context, draft, previewed, signal)
      },
    }),
    ...replies({
      async 'POST /api/servers'({ body }) {
        return addServer(...parseConfirmed(newSchema, body), context)
      },
      async 'GET /api/export'() {
        const servers = (await (await agent.service()).listServers()).filter(({ shadowed }) => !shadowed)
        const text = `${JSON.stringify(strike({ mcpServers: exportServers(servers) }), null, 2)}\n`
        return {
          type: 'download',
          name: 'ostler-servers.json',
          contentType: 'application/json; charset=utf-8',
          pieces: only(text),
        }
      },
    }),
    ...ofServer(context, {
      'GET ': ({ view }): ServerView => view,
      async 'PATCH '({ service, view: server, body }): Promise<ServerView> {
        const [updates, confirmed] = parseConfirmed(updateSchema, body)
        const { id, name } = server
        const next = previewServer(
          { name: updates.name ?? name, entry: updates.entry ?? {}, secret: updates.secret },
          env,
          server,
        )
        const enabled = updates.enabled ?? server.enabled
        await requireConsentToChange(server, { ...next, enabled }, confirmed, context)
        const details = {
          server: name,
          name: updates.name,
          enabled: updates.enabled,
          entry: updates.entry && next.entry,
        }
        return audit.run('update-server', details, () => service.updateServer(id, updates))
      },
      'DELETE ': ({ service, view: { id, name } }) =>
        audit.run('remove-server', { server: name }, () => service.removeServer(id)),
    }),
  ]
}

/** Agents start what is added, so the person must have confirmed it. */
export async function addServer(
  server: NewServer,
  confirmed: Confirmed,
  { agent, audit, consent, env }: ConsoleContext,
): Promise<Reply> {
  const previewed = previewServer(server, env)
  requireValid(previewed)
  if (server.entry['enabled'] !== false) await consent.require(confirmed, previewed)
  const service = await agent.service()
  const details = { name: server.name, entry: previewed.entry }
  return json(await audit.run('add-server', details, () => service.addServer(server)), 201)
}

/** With an `id`, the draft edits a stored server and holds only the changes. */
async function preview(
  service: ServerService,
  { id, ...draft }: NewServer & { id?: string },
  env: Environment,
) {
  return previewServer(draft, env, id === undefined ? undefined : await service.getServer(id))
}

async function* test(
  { agent, audit, logger }: ConsoleContext,
  draft: z.output<typeof draftSchema>,
  { commandLine, entry: shown }: ServerPreview,
  signal: AbortSignal,
): AsyncGenerator<TestProgress> {
  try {
    yield { type: 'started', commandLine }
    const service = await agent.service()
    const tested = await audit.run('test-server', { name: draft.name, entry: shown }, () =>
      service.testServer(draft, { signal }),
    )
    yield { type: 'connected', ...tested }
  } catch (error) {
    yield { type: 'failed', error: failureOf(error, logger) }
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
