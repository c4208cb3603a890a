import { defineCommand } from '../../command-line/command.ts'
import { jsonFlag } from '../../command-line/shared-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { placeFlags } from './server-flags.ts'
import { switchServers } from './switch-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME... [options]'],
  about: 'Enables stored servers. Running agents connect them.',
  flags: { json: jsonFlag, ...placeFlags },
  words: ['server'],
  async run(io, { values, words }) {
    if (words.length === 0) throw usageError('enable needs the names of servers')
    return switchServers(io, values, words, true)
  },
})
