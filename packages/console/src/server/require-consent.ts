import { privateAddressOf, type ServerPreview } from '@ostler/agent-api'
import type { Confirmed } from '../api.ts'
import { requestError } from './http/request-error.ts'

/** To connect a server is to run its command. Nothing is, before a person has seen what it is and said yes to just that. */
export async function requireConsent(
  { confirmed, confirmedCommandLine, confirmedAddress }: Confirmed,
  { commandLine, url }: Pick<ServerPreview, 'commandLine' | 'url'>,
): Promise<void> {
  if (commandLine === '') throw requestError(422, 'console.not_shown', 'What would be run cannot be shown, so it is not run from here.')
  const address = url === undefined ? undefined : await privateAddressOf(url)
  const isAsSeen = confirmedCommandLine === undefined || confirmedCommandLine === commandLine
  if (confirmed === true && isAsSeen && (address === undefined || address === confirmedAddress)) return
  const message =
    address === undefined
      ? 'This has to be confirmed first.'
      : `${address} is an address of a private network, which has to be confirmed first.`
  throw requestError(409, 'console.unconfirmed', message, {
    confirm: { kind: url === undefined ? 'command' : 'address', commandLine, ...(address !== undefined && { address }) },
  })
}
