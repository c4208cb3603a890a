import { OstlerError, type Logger } from '@ostler/agent-api'
import { privateAddressOf } from '@ostler/agent-api/internal'
import { previewServer, type ServerPreview, type ServerService, type ServerView } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { Confirmed, StartedServer } from '../api.ts'
import type { ConsoleContext, Environment } from './context.ts'
import { toApiError } from './http/to-api-error.ts'
import type { Consent } from './require-consent.ts'

/** The fields of a request by which a person confirms a command or an address. */
export const consentFields = {
  confirmed: z.boolean().optional(),
  confirmedCommandLine: z.string().optional(),
  confirmedAddress: z.string().optional(),
}

/** Requires consent before a server is connected. A connected server has already been confirmed. */
export async function connectable(
  service: ServerService,
  id: string,
  confirmed: Confirmed,
  { consent, env }: Pick<ConsoleContext, 'consent' | 'env'>,
): Promise<ServerView> {
  const server = await service.getServer(id)
  if (server.status.state !== 'connected') await consent.require(confirmed, previewOf(server, env))
  return server
}

/** Agents start what is saved, so a new command or address needs confirmation, and so does one that is switched on again. */
export async function requireConsentToChange(
  server: ServerView,
  changed: ServerPreview & { readonly enabled: boolean },
  confirmed: Confirmed,
  { consent, env }: { readonly consent: Consent; readonly env: Environment },
): Promise<void> {
  if (!changed.enabled) return
  requireValid(changed)
  const before = previewOf(server, env)
  const isSame = changed.commandLine === before.commandLine && changed.url === before.url
  if (!isSame || !server.enabled) await consent.require(confirmed, changed)
}

/** The facts about a server that a person must see before agents start it. */
export async function toStarted(server: ServerView, env: Environment): Promise<StartedServer> {
  const { commandLine, url } = previewOf(server, env)
  const address = url === undefined ? undefined : await privateAddressOf(url)
  return { name: server.name, commandLine, ...(address !== undefined && { address }) }
}

/** Agents start what is selected, so each server needs consent for exactly its command or address. */
export async function requireConsentToStart(
  servers: readonly ServerView[],
  confirmed: readonly StartedServer[],
  { consent, env }: { readonly consent: Consent; readonly env: Environment },
): Promise<void> {
  for (const server of servers) {
    const preview = previewOf(server, env)
    const given = confirmed.find(({ commandLine }) => commandLine === preview.commandLine)
    const address = given?.address
    await consent.require({ confirmed: given !== undefined, ...(address !== undefined && { confirmedAddress: address }) }, preview)
  }
}

export function requireValid({ issues }: ServerPreview): void {
  if (issues.length === 0) return
  const said = issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
  throw new OstlerError('config.invalid', `The server is invalid: ${said}`, { data: { issues } })
}

/** For a reply that has begun: its error is a line of it. */
export function failureOf(error: unknown, logger: Logger) {
  const { status, body } = toApiError(error)
  if (status === 500) logger.error('a request to the console failed', { error: error instanceof Error ? error.stack : String(error) })
  return body
}

function previewOf(server: ServerView, env: Environment): ServerPreview {
  return previewServer({ name: server.name, entry: {} }, env, server)
}
