import { type Logger, OstlerError } from '@ostler/agent-api'
import { privateAddressOf } from '@ostler/agent-api/internal'
import { previewServer, type ServerPreview, type ServerView } from '@ostler/workbench'
import { z } from 'zod'
import type { Confirmed, StartedServer } from '../api.ts'
import type { ConsoleContext, Environment } from './context.ts'
import { requestError } from './http/route.ts'
import { toApiError } from './http/to-api-error.ts'
import { parseRequest } from './parse-request.ts'

/** The fields of a request by which a person confirms a command or an address. */
const consentFields = {
  confirmed: z.boolean().optional(),
  confirmedCommandLine: z.string().optional(),
  confirmedAddress: z.string().optional(),
}

/** Parses a request, and separates what the person confirmed. */
export function parseConfirmed<T extends z.ZodObject>(schema: T, body: unknown): [z.output<T>, Confirmed] {
  const parsed = parseRequest(schema.extend(consentFields), body)
  const { confirmed, confirmedCommandLine, confirmedAddress, ...rest } = parsed as Confirmed
  return [rest as z.output<T>, { confirmed, confirmedCommandLine, confirmedAddress }]
}

type Consenting = Pick<ConsoleContext, 'consent' | 'env'>

/** Requires consent before a server is connected. A connected server has already been confirmed. */
export async function requireConsentToConnect(
  server: ServerView,
  confirmed: Confirmed,
  { consent, env }: Consenting,
): Promise<void> {
  if (server.status.state !== 'connected') await consent.require(confirmed, previewOf(server, env))
}

/** Agents start what is saved, so a new command or address needs confirmation, and so does one that is switched on again. */
export async function requireConsentToChange(
  server: ServerView,
  changed: ServerPreview & { readonly enabled: boolean },
  confirmed: Confirmed,
  { consent, env }: Consenting,
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
  return { name: server.name, commandLine, address }
}

/** Agents start what is selected, so each server needs consent for exactly its command or address. */
export async function requireConsentToStart(
  servers: readonly ServerView[],
  confirmed: readonly StartedServer[],
  { consent, env }: Consenting,
): Promise<void> {
  for (const server of servers) {
    const preview = previewOf(server, env)
    const given = confirmed.find(({ commandLine }) => commandLine === preview.commandLine)
    const address = given?.address
    await consent.require({ confirmed: given !== undefined, confirmedAddress: address }, preview)
  }
}

export function requireValid({ issues }: ServerPreview): void {
  if (issues.length === 0) return
  const said = issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')
  throw new OstlerError('config.invalid', `The server is invalid: ${said}`, { data: { issues } })
}

/** Sends an error as a line of a reply that has already begun. */
export function failureOf(error: unknown, logger: Logger) {
  const { status, body } = toApiError(error)
  if (status === 500)
    logger.error('a request to the console failed', {
      error: error instanceof Error ? error.stack : String(error),
    })
  return body
}

function previewOf(server: ServerView, env: Environment): ServerPreview {
  return previewServer({ name: server.name, entry: {} }, env, server)
}

/** The commands that the person has confirmed since the console was opened. A changed command must be confirmed again. */
export interface Consent {
  /** Throws 409 `console.unconfirmed` unless the person confirms exactly this command or address, or has done so before. */
  require(confirmed: Confirmed, server: Pick<ServerPreview, 'commandLine' | 'url'>): Promise<void>
}

export function createConsent(): Consent {
  const given = new Set<string>()
  return {
    async require({ confirmed, confirmedCommandLine, confirmedAddress }, { commandLine, url }) {
      if (commandLine === '')
        throw requestError(
          422,
          'console.not_shown',
          'The command cannot be shown, so it is not run from the console.',
        )
      const address = url === undefined ? undefined : await privateAddressOf(url)
      const key = JSON.stringify([commandLine, address])
      if (given.has(key)) return
      const isAsSeen = confirmedCommandLine === undefined || confirmedCommandLine === commandLine
      if (confirmed === true && isAsSeen && (address === undefined || address === confirmedAddress))
        return void given.add(key)
      const message =
        address === undefined
          ? 'Confirmation required.'
          : `${address} is an address of a private network. Confirmation required.`
      throw requestError(409, 'console.unconfirmed', message, {
        confirm: { kind: url === undefined ? 'command' : 'address', commandLine, address },
      })
    },
  }
}
