import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { quoteWord, findHome } from '@ostler/agent-api/internal'
import type { ServerList, ServerView } from '@ostler/workbench'
import type { Io } from '../../terminal/io.ts'
import { toShown } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { secretStoreNames } from './secret-store-names.ts'

/** Reports the change, the store of the secrets, and the next step. With `json`, prints the server. Returns the exit code. */
export async function sayStored(
  io: Io,
  servers: ServerList,
  view: ServerView,
  { what, json }: { readonly what: 'Stored' | 'Changed'; readonly json: boolean },
): Promise<number> {
  if (json) {
    printJson(io, view)
    return 0
  }
  const { stdout, stderr } = io
  const { name, secrets, secretStore, shadowed } = view
  const lines = [
    `${what} the server '${name}'.`,
    ...(secretStore === undefined
      ? []
      : [
          `Its secrets are in ${secretStoreNames[secretStore]}: ${secrets.map((secret) => secret.name).join(', ')}`,
        ]),
    `Try it: ostler mcp test ${quoteWord(name)}`,
  ]
  stdout.write(`${toShown(lines.join('\n'))}\n`)
  if (shadowed)
    stderr.write(
      `ostler: ${toShown(`the agent file has a server '${name}' as well, and the agent uses that one`)}\n`,
    )
  const here = localWord(io, view)
  if (here !== undefined)
    stderr.write(
      `ostler: ${toShown(`the server starts in the home directory, where ${here} may not be. Add --cwd . to start it here`)}\n`,
    )
  const { problem } = secretStore === undefined ? {} : await servers.secretStore()
  if (problem !== undefined) stderr.write(`ostler: ${toShown(problem)}\n`)
  return 0
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
