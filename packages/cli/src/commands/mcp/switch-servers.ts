import { defineCommand, type Command } from '../../command-line/command.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { serverFlags } from './server-flags.ts'
import { findStoredServer, withServers } from './with-service.ts'

/** The command that enables or disables stored servers. It looks up all of them first, so that a wrong name changes nothing. */
export function defineSwitch(enabled: boolean, about: string): Command {
  return defineCommand({
    synopsis: ['NAME... [options]'],
    about,
    flags: serverFlags,
    words: ['server'],
    async run(io, { values, words }) {
      if (words.length === 0) throw usageError(`${enabled ? 'enable' : 'disable'} needs the names of servers`)
      return withServers(io, values, async (list) => {
        const servers = []
        for (const name of new Set(words)) servers.push(await findStoredServer(list, name))
        const changed = []
        for (const { id, name } of servers) {
          changed.push(await list.updateServer(id, { enabled }))
          if (!values.json)
            io.stdout.write(`${toShown(`${enabled ? 'Enabled' : 'Disabled'} the server '${name}'.`)}\n`)
        }
        if (values.json) printJson(io, { servers: changed })
      })
    },
  })
}
