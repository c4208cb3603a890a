import { previewServer, type NewServer, type ServerPreview, type ServerService } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { AddServer, ServerList, TestProgress, TestServer, UpdateServer, Validated } from '../../api.ts'
import type { ConsoleContext, Environment } from '../context.ts'
import { openFindOwnServer } from '../find-own-server.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { consentFields, failureOf, requireConsentToChange, requireValid } from '../server-consent.ts'
import { serviceRoute } from './service-route.ts'

const entry = z.record(z.string(), z.unknown())
const secret = z.strictObject({ env: z.array(z.string()).optional(), headers: z.array(z.string()).optional() })

const addSchema = z.strictObject({ name: z.string(), entry, secret: secret.optional() })
const updateSchema = z.strictObject({
  name: z.string().optional(),
  entry: entry.optional(),
  secret: secret.optional(),
  enabled: z.boolean().optional(),
  ...consentFields,
})
const newSchema = addSchema.extend(consentFields)
const draftSchema = addSchema.extend({ id: z.string().optional() })
const testSchema = draftSchema.extend(consentFields)

/** List, add, check, test, change, remove and export stored servers. */
export function serverRoutes(context: ConsoleContext): readonly Route[] {
  const { agent, audit, consent, env, history, exportServers, strike } = context
  return [
    serviceRoute(context, 'GET', '/api/servers', async ({ service }) => {
      const servers = await service.listServers()
      const findOwn = await openFindOwnServer(service, await agent.name(), servers)
      const live = history.listLiveServers().map((running) => ({ ...running, serverId: findOwn(running, servers)?.id }))
      return json({ servers, live } satisfies ServerList)
    }),
    serviceRoute(context, 'POST', '/api/servers', async ({ service, body }) => {
      const { confirmed, confirmedCommandLine, confirmedAddress, ...server }: AddServer = parseRequest(newSchema, body)
      const previewed = previewServer(server, env)
      requireValid(previewed)
      if (server.entry['enabled'] !== false) await consent.require({ confirmed, confirmedCommandLine, confirmedAddress }, previewed)
      const details = { name: server.name, entry: previewed.entry }
      return json(await audit.run('add-server', details, () => service.addServer(server)), 201)
    }),
    serviceRoute(context, 'POST', '/api/servers/validate', async ({ service, body }) => {
      const { issues, commandLine } = await preview(service, parseRequest(draftSchema, body), env)
      return json({ issues, commandLine } satisfies Validated)
    }),
    serviceRoute(context, 'POST', '/api/servers/test', async ({ service, body, signal }) => {
      const { confirmed, confirmedCommandLine, confirmedAddress, ...draft }: TestServer = parseRequest(testSchema, body)
      const previewed = await preview(service, draft, env)
      requireValid(previewed)
      await consent.require({ confirmed, confirmedCommandLine, confirmedAddress }, previewed)
      return { type: 'lines', lines: test(context, draft, previewed, signal) }
    }),
    serviceRoute(context, 'GET', '/api/servers/:id', async ({ service, id }) => json(await service.getServer(id))),
    serviceRoute(context, 'PATCH', '/api/servers/:id', async ({ service, id, body }) => {
      const { confirmed, confirmedCommandLine, confirmedAddress, ...updates }: UpdateServer = parseRequest(updateSchema, body)
      const server = await service.getServer(id)
      const { name } = server
      const next = previewServer({ name: updates.name ?? name, entry: updates.entry ?? {}, secret: updates.secret }, env, server)
      const enabled = updates.enabled ?? server.enabled
      await requireConsentToChange(server, { ...next, enabled }, { confirmed, confirmedCommandLine, confirmedAddress }, context)
      const details = { server: name, name: updates.name, enabled: updates.enabled, entry: updates.entry && next.entry }
      return json(await audit.run('update-server', details, () => service.updateServer(server.id, updates)))
    }),
    serviceRoute(context, 'DELETE', '/api/servers/:id', async ({ service, id }) => {
      const server = await service.getServer(id)
      return json(await audit.run('remove-server', { server: server.name }, () => service.removeServer(server.id)))
    }),
    serviceRoute(context, 'GET', '/api/export', async ({ service }) => {
      const servers = (await service.listServers()).filter(({ shadowed }) => !shadowed)
      const text = `${JSON.stringify(strike({ mcpServers: exportServers(servers) }), null, 2)}\n`
      return { type: 'download', name: 'ostler-servers.json', contentType: 'application/json; charset=utf-8', pieces: only(text) }
    }),
  ]
}

/** With an `id`, the draft edits a stored server and holds only the changes. */
async function preview(service: ServerService, { id, ...draft }: NewServer & { id?: string | undefined }, env: Environment) {
  return previewServer(draft, env, id === undefined ? undefined : await service.getServer(id))
}

async function* test(
  { agent, audit, logger }: ConsoleContext,
  draft: TestServer,
  { commandLine, entry: shown }: ServerPreview,
  signal: AbortSignal,
): AsyncGenerator<TestProgress> {
  try {
    yield { type: 'started', commandLine }
    const service = await agent.service()
    const tested = await audit.run('test-server', { name: draft.name, entry: shown }, () => service.testServer(draft, { signal }))
    yield { type: 'connected', ...tested }
  } catch (error) {
    yield { type: 'failed', error: failureOf(error, logger) }
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
