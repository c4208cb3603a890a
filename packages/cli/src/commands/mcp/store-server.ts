import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { quoteWord, findHome } from '@ostler/agent-api/internal'
import type { ServerList, ServerView } from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { printJson, say, warn } from '../../terminal/print.ts'
import { secretStoreNames } from './server-rows.ts'

/** Reports the change, the store of the secrets, and the next step. With `json`, prints the server. */
export async function sayStored(
  io: Io,
  servers: ServerList,
  view: ServerView,
  { what, json }: { readonly what: 'Stored' | 'Changed'; readonly json: boolean },
): Promise<void> {
  if (json) return printJson(io, view)
  const { name, secrets, secretStore, shadowed } = view
  say(io, `${what} the server '${name}'.`)
  if (secretStore !== undefined) {
    const names = secrets.map((secret) => secret.name).join(', ')
    say(io, `Its secrets are in ${secretStoreNames[secretStore]}: ${names}`)
  }
  say(io, `Try it: ostler mcp test ${quoteWord(name)}`)
  if (shadowed) warn(io, `the agent file has a server '${name}' as well, and the agent uses that one`)
  const here = localWord(io, view)
  if (here !== undefined)
    warn(
      io,
      `the server starts in the home directory, where ${here} may not be. Add --cwd . to start it here`,
    )
  const { problem } = secretStore === undefined ? {} : await servers.secretStore()
  if (problem !== undefined) warn(io, problem)
}

/** A word of the command line that names a file of this folder, or a module in it (`python3 -m NAME`). */
function localWord(io: Io, { transport, entry }: ServerView): string | undefined {
  if (transport !== 'stdio' || entry['cwd'] !== undefined) return undefined
  const cwd = existingFolder(io)
  if (cwd === undefined || cwd === findHome(io.env)) return undefined
  const { command, args = [] } = entry
  const words = [command, ...(args as unknown[])].filter((word) => typeof word === 'string')
  return words.find((word, index) => {
    if (isAbsolute(word) || (index === 0 && !word.includes('/'))) return false
    return existsSync(join(cwd, word)) || (words[index - 1] === '-m' && existsSync(join(cwd, `${word}.py`)))
  })
}

/** Undefined if it was deleted: then no file is in it. */
function existingFolder(io: Io): string | undefined {
  try {
    return io.cwd
  } catch {
    return undefined
  }
}
