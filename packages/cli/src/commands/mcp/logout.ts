import { defineCommand } from '../../command-line/command.ts'
import { printJson, say, warn } from '../../terminal/print.ts'
import { serverFlags, withService } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'URL [options]'],
  about: 'Deletes the login to a remote server, and revokes its tokens if the server supports that.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  needs: 'logout needs the name or the URL of one server',
  async run(io, { values, word: target }) {
    return withService(io, values, async (service, signal) => {
      const { wasLoggedIn, warning } = await service.logOut(target, { signal })
      if (values.json) printJson(io, { server: target, wasLoggedIn })
      else say(io, wasLoggedIn ? `Logged out of '${target}'.` : `You were not logged in to '${target}'.`)
      if (warning !== undefined) warn(io, warning)
    })
  },
})
