import type { ServerList, ServerView } from '@ostler/workbench'
import { defineCommand, usageError, type Command } from '../../command-line/command.ts'
import { printJson, say, warn } from '../../terminal/print.ts'
import { findStoredServer, serverFlags, withServers } from './with-servers.ts'

interface ServerChange {
  readonly about: string
  readonly verb: string
  /** Begins the sentence about each changed server. */
  readonly done: string
  /** The field of the JSON that lists what `change` returned for each server. */
  readonly field: string
  readonly change: (
    list: ServerList,
    server: ServerView,
  ) => Promise<{ readonly shown: unknown; readonly warning?: string | undefined }>
}

/** A command that changes stored servers. It looks up all of them first, so that a wrong name changes nothing. */
export function defineServerChange({ about, verb, done, field, change }: ServerChange): Command {
  return defineCommand({
    synopsis: ['NAME... [options]'],
    about,
    flags: serverFlags,
    words: ['server'],
    async run(io, { values, words }) {
      if (words.length === 0) throw usageError(`${verb} needs the names of servers`)
      return withServers(io, values, async (list) => {
        const servers = []
        for (const name of new Set(words)) servers.push(await findStoredServer(list, name))
        const changed = []
        for (const server of servers) {
          const { shown, warning } = await change(list, server)
          changed.push(shown)
          if (!values.json) say(io, `${done} the server '${server.name}'.`)
          if (warning !== undefined) warn(io, warning)
        }
        if (values.json) printJson(io, { [field]: changed })
      })
    },
  })
}
