import { privateAddressOf } from '@ostler/agent-api/internal'
import type { ServerPreview } from '@ostler/agent-api/manage'
import type { Confirmed } from '../api.ts'
import { requestError } from './http/request-error.ts'

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
        throw requestError(422, 'console.not_shown', 'The command cannot be shown, so it is not run from the console.')
      const address = url === undefined ? undefined : await privateAddressOf(url)
      const key = JSON.stringify([commandLine, address])
      if (given.has(key)) return
      const isAsSeen = confirmedCommandLine === undefined || confirmedCommandLine === commandLine
      if (confirmed === true && isAsSeen && (address === undefined || address === confirmedAddress)) return void given.add(key)
      const message =
        address === undefined ? 'Confirmation required.' : `${address} is an address of a private network. Confirmation required.`
      throw requestError(409, 'console.unconfirmed', message, {
        confirm: { kind: url === undefined ? 'command' : 'address', commandLine, ...(address !== undefined && { address }) },
      })
    },
  }
}
