import type { Io } from '../../io.ts'
import type { Places } from '../../state/places.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { findStoredServer, withService } from './with-service.ts'

/** Enables or disables stored servers. Looks up all of them first, so that a wrong name changes nothing. */
export function switchServers(
  io: Io,
  places: Places & { readonly json: boolean },
  names: readonly string[],
  enabled: boolean,
): Promise<number> {
  return withService(io, places, async (service) => {
    const servers = []
    for (const name of new Set(names)) servers.push(await findStoredServer(service, name))
    const changed = []
    for (const { id, name } of servers) {
      changed.push(await service.updateServer(id, { enabled }))
      if (!places.json) io.stdout.write(`${toShown(`${enabled ? 'Enabled' : 'Disabled'} the server '${name}'.`)}\n`)
    }
    if (places.json) printJson(io, { servers: changed })
    return 0
  })
}
