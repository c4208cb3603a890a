import { defineCommand } from '../../command-line/command.ts'
import { serverFlags } from './server-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { findStoredServer, withServers } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME... [options]'],
  about: 'Removes stored servers and their secrets.',
  flags: serverFlags,
  words: ['server'],
  async run(io, { values, words }) {
    if (words.length === 0) throw usageError('remove needs the names of servers')
    return withServers(io, values, async (list) => {
      // Look up all names first, so that a wrong one removes nothing.
      const servers = []
      for (const name of new Set(words)) servers.push(await findStoredServer(list, name))
      for (const { id, name } of servers) {
        const { warning } = await list.removeServer(id)
        if (!values.json) io.stdout.write(`${toShown(`Removed the server '${name}'.`)}\n`)
        if (warning !== undefined) io.stderr.write(`ostler: ${toShown(warning)}\n`)
      }
      if (values.json) printJson(io, { removed: servers.map(({ name }) => name) })
    })
  },
})
