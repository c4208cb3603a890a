import { defineCommand } from '../../command-line/command.ts'
import { serverFlags } from './server-flags.ts'
import { onlyWord } from '../../command-line/usage-error.ts'
import { formatTable, headerOf, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { withServer } from './connect.ts'
import { toSummary } from './tool-rows.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]'],
  about: 'Lists the resources of a server.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const name = onlyWord(words, 'resources needs the name of one server')
    return withService(io, values, async (service, signal) => {
      const resources = await withServer(io, service, name, signal, ({ client }) =>
        client.listResources({ signal }),
      )
      const header = headerOf('URI', 'NAME', 'TYPE', 'DESCRIPTION')
      const rows = resources.map(({ uri, name: title, mimeType, description }): Cell[] => [
        uri,
        title,
        mimeType ?? '',
        toSummary(undefined, description),
      ])
      if (values.json) printJson(io, { resources })
      else io.stdout.write(rows.length === 0 ? 'No resources.\n' : `${formatTable([header, ...rows])}\n`)
    })
  },
})
