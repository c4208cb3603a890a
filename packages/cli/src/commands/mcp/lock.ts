import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import {
  definitionsOf,
  hashEntry,
  counted,
  isLocked,
  loadLock,
  lockFileName,
  lockKeyOf,
  replaceTextFile,
  toLockText,
  toServerLock,
  toSystemReason,
  type LockedServer,
  type ServerLock,
} from '@ostler/agent-api/internal'
import type { ServerService } from '@ostler/workbench'
import { defineCommand, switchFlag, usageError } from '../../command-line/command.ts'
import { agentFileOf } from '../../state/places.ts'
import { withState } from '../../state/with-state.ts'
import type { Io } from '../../terminal/io.ts'
import { print, warn } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { showProgress } from '../../terminal/show-progress.ts'
import { serverFlags, withName, withService } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['[options]', '--check [options]'],
  about: `Writes what the servers of the agent offer to ${lockFileName}, beside the agent file in use, or else in the working directory. Agents
  that find it leave out what differs from it, and say so.`,
  flags: {
    check: switchFlag(
      'Write nothing, and show what differs from the lock. The exit code is 1 if anything does',
    ),
    folder: switchFlag("Include the editor's servers that were seen in the working directory"),
    ...serverFlags,
  },
  more: `Nothing is written if a server cannot be connected. The lock has a line with a hash for each server, its instructions, and each of its
  tools and prompts. Commit it to review changes of servers like changes of code.`,
  async run(io, { values }) {
    const { check, folder } = values
    if (check && folder)
      throw usageError('--check cannot be used with --folder: the lock says which servers it has')
    const { path } = agentFileOf(io, values)
    const file = join(path === undefined ? io.cwd : dirname(path), lockFileName)
    const before = check ? loadLock(file) : undefined
    if (check && before === undefined)
      throw new OstlerError('lock.missing', `There is no ${file}. \`ostler mcp lock\` writes it.`)
    const passed = await withState(io, values, (state) => state?.servers.passedIn(io.cwd))
    const editors = [...(passed ?? [])].map(([name, server]): LockedServer => {
      return { owner: 'editor', name, entry: server.passed?.entry ?? '', definitions: definitionsOf(server) }
    })
    return withService(io, values, async (service, signal) => {
      const own = await readServers(io, service, signal)
      return before === undefined
        ? write(io, values, file, toServerLock([...own, ...(folder ? editors : [])]))
        : compare(io, values, file, before, own, editors)
    })
  },
})

interface Format {
  readonly json: boolean
}

/** The servers that the agent uses, as they are now. Throws `mcp.*`, with the name of one that cannot be connected. */
async function readServers(
  io: Io,
  service: ServerService,
  signal: AbortSignal,
): Promise<readonly LockedServer[]> {
  const used = (await service.listServers()).filter(({ enabled, shadowed }) => enabled && !shadowed)
  let connected = 0
  using _progress = showProgress(io.stderr, () => `Connecting: ${connected} of ${used.length} servers done`)
  return Promise.all(
    used.map(async ({ id, name }) => {
      const connecting = service.server(id).use({ signal })
      const { client, server } = await connecting.catch((error: unknown) => {
        throw withName(error, name)
      })
      connected++
      if (client.seen === undefined) throw new OstlerError('mcp.connection_lost', `${name}: it has ended`)
      const entry = hashEntry(server.written ?? server.config)
      return { owner: 'agent', name, entry, definitions: definitionsOf(client.seen) }
    }),
  )
}

async function write(io: Io, format: Format, file: string, lock: ServerLock): Promise<void> {
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error('it is not a regular file')
    await replaceTextFile(file, toLockText(lock))
  } catch (error) {
    throw new OstlerError('lock.unwritable', `${file} cannot be written: ${toSystemReason(error)}.`)
  }
  print(io, format, { file, lines: lock.size }, () => `Wrote ${toShown(file)}: ${counted(lock.size, 'line')}`)
}

/** Returns the exit code. Servers of editors count if the lock has them and they were seen here. */
function compare(
  io: Io,
  format: Format,
  file: string,
  before: ServerLock,
  own: readonly LockedServer[],
  editors: readonly LockedServer[],
): number {
  const seen = editors.filter((server) => isLocked(before, server))
  const unseen = [...before].filter(
    (line) => line.startsWith('editor ') && !seen.some((server) => line.startsWith(lockKeyOf(server))),
  )
  const now = new Set([...toServerLock([...own, ...seen]), ...unseen])
  const removed = [...before].filter((line) => !now.has(line)).toSorted()
  const added = [...now].filter((line) => !before.has(line)).toSorted()
  const ok = removed.length + added.length === 0
  print(io, format, { ok, file, removed, added, unseen }, () => {
    const lines = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
    return ok ? `Nothing differs from ${toShown(file)}.` : toShown(lines.join('\n'))
  })
  if (unseen.length > 0)
    warn(
      io,
      `not compared, because their servers were not seen in this folder: ${counted(unseen.length, 'line')}`,
    )
  return ok ? 0 : 1
}
