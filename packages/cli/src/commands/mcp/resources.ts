import { defineCommand } from '../../command-line/command.ts'
import { formatList, headerOf, print } from '../../terminal/print.ts'
import { toSummary } from './tool-rows.ts'
import { serverFlags, withServer } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]'],
  about: 'Lists the resources of a server.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  needs: 'resources needs the name of one server',
  async run(io, { values, word: server }) {
    return withServer(
      io,
      values,
      server,
      ({ client }, { signal }) => client.listResources({ signal }),
      (resources) =>
        print(io, values, { resources }, () => {
          const rows = resources.map(({ uri, name, mimeType = '', description }) => [
            uri,
            name,
            mimeType,
            toSummary(undefined, description),
          ])
          return formatList([headerOf('URI', 'NAME', 'TYPE', 'DESCRIPTION'), ...rows], 'No resources.')
        }),
    )
  },
})
