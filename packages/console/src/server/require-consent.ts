import type { Confirmed } from '../api.ts'
import { requestError } from './http/request-error.ts'
import { privateAddressOf } from './private-address.ts'

/** To connect a server is to run its command. Nothing is, before a person has seen what it is and said yes. */
export async function requireConsent(
  { confirmed, confirmedAddress }: Confirmed,
  { commandLine, url }: { commandLine: string; url?: string },
): Promise<void> {
  const address = url === undefined ? undefined : await privateAddressOf(url)
  if (confirmed === true && (address === undefined || address === confirmedAddress)) return
  const message =
    address === undefined
      ? 'This has to be confirmed first.'
      : `${address} is an address of a private network, which has to be confirmed first.`
  throw requestError(409, 'console.unconfirmed', message, { confirm: { commandLine, ...(address !== undefined && { address }) } })
}
