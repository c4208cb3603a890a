import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import {
  counted,
  loadLock,
  lockDifferences,
  lockFileName,
  renewServerLock,
  replaceTextFile,
  toLockText,
  toServerLock,
  toSystemReason,
  unseenIn,
  type LockedServer,
  type ServerLock,
} from '@ostler/agent-api/internal'
import { defineCommand, switchFlag, usageError } from '../../command-line/command.ts'
import { agentFileOf, type Places } from '../../state/places.ts'
import { formatDiff } from '../../terminal/format-diff.ts'
import type { Io } from '../../terminal/io.ts'
import { print, warn } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { showProgress } from '../../terminal/show-progress.ts'
import { styleFor } from '../../terminal/style.ts'
import { serverFlags, withService } from './with-servers.ts'

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
  more: `Every server is started. If one cannot be connected, nothing is written. The lock has only hashes: a line for each server, its
  instructions, and each of its tools and prompts. Commit it, and changes of servers are reviewed like changes of code.`,
  async run(io, { values }) {
    if (values.check && values.folder)
      throw usageError('--check cannot be used with --folder: the lock says which servers it has')
    const file = join(placeOf(io, values), lockFileName)
    const before = values.check ? requireLock(file) : undefined
    return withService(io, values, async (service, signal) => {
      let progress = ''
      const line = showProgress(io.stderr, () => progress)
      const folder = values.folder || values.check ? io.cwd : undefined
      const onProgress = (settled: number, all: number) =>
        (progress = `Connecting: ${settled} of ${all} servers done`)
      const servers = await service
        .lockServers({ folder, onProgress, signal })
        .finally(() => line[Symbol.dispose]())
      return before === undefined
        ? write(io, values, file, toServerLock(servers))
        : compare(io, values, file, before, servers)
    })
  },
})

function placeOf(io: Io, places: Places): string {
  const { path } = agentFileOf(io, places)
  return path === undefined ? io.cwd : dirname(path)
}

function requireLock(file: string): ServerLock {
  const lock = loadLock(file)
  if (lock !== undefined) return lock
  throw new OstlerError('lock.missing', `There is no ${file}. \`ostler mcp lock\` writes it.`)
}

async function write(
  io: Io,
  format: { readonly json: boolean },
  file: string,
  lock: ServerLock,
): Promise<void> {
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error('it is not a regular file')
    await replaceTextFile(file, toLockText(lock))
  } catch (error) {
    throw new OstlerError('lock.unwritable', `${file} cannot be written: ${toSystemReason(error)}.`)
  }
  const parts = [...lock.values()].reduce((sum, { size }) => sum + size - 1, 0)
  const servers = lock.size
  print(io, format, { file, servers, definitions: parts }, () => {
    return `Wrote ${toShown(file)}: ${counted(servers, 'server')}, ${counted(parts, 'definition')}`
  })
}

/** Returns the exit code. */
function compare(
  io: Io,
  format: { readonly json: boolean },
  file: string,
  before: ServerLock,
  servers: readonly LockedServer[],
): number {
  const now = renewServerLock(before, servers)
  const differences = lockDifferences(before, now)
  const ok = differences.length === 0
  const unseen = unseenIn(before, servers)
  print(io, format, { ok, file, differences, unseen }, () => {
    if (ok) return `Nothing differs from ${toShown(file)}.`
    const diff = { path: lockFileName, oldText: toLockText(before), newText: toLockText(now) }
    return formatDiff(diff, styleFor(io.stdout, io.env)).join('\n')
  })
  if (!format.json && unseen.length > 0)
    warn(io, `not compared, because they were not seen in this folder: ${unseen.join(', ')}`)
  return ok ? 0 : 1
}
