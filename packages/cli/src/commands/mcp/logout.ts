import { defineCommand } from '../../command-line/command.ts'
import { serverFlags } from './server-flags.ts'
import { onlyWord } from '../../command-line/usage-error.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'URL [options]'],
  about: 'Deletes the login to a remote server, and revokes its tokens if the server supports that.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const target = onlyWord(words, 'logout needs the name or the URL of one server')
    return withService(io, values, async (service, signal) => {
      const { wasLoggedIn, warning } = await service.logOut(target, { signal })
      if (values.json) printJson(io, { server: target, wasLoggedIn })
      else
        io.stdout.write(
          `${toShown(wasLoggedIn ? `Logged out of '${target}'.` : `You were not logged in to '${target}'.`)}\n`,
        )
      if (warning !== undefined) io.stderr.write(`ostler: ${toShown(warning)}\n`)
    })
  },
})
