import { privateAddressOf } from '@ostler/agent-api/internal'
import type { ServerPreview } from '@ostler/agent-api/manage'
import type { Confirmed } from '../api.ts'
import { requestError } from './http/request-error.ts'

/** Connecting a server runs its command, so the person must confirm exactly that command first. */
export async function requireConsent(
  { confirmed, confirmedCommandLine, confirmedAddress }: Confirmed,
  { commandLine, url }: Pick<ServerPreview, 'commandLine' | 'url'>,
): Promise<void> {
  if (commandLine === '') throw requestError(422, 'console.not_shown', 'The command cannot be shown, so it is not run from the console.')
  const address = url === undefined ? undefined : await privateAddressOf(url)
  const isAsSeen = confirmedCommandLine === undefined || confirmedCommandLine === commandLine
  if (confirmed === true && isAsSeen && (address === undefined || address === confirmedAddress)) return
  const message = address === undefined ? 'Confirmation required.' : `${address} is an address of a private network. Confirmation required.`
  throw requestError(409, 'console.unconfirmed', message, {
    confirm: { kind: url === undefined ? 'command' : 'address', commandLine, ...(address !== undefined && { address }) },
  })
}
