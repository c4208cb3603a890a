import { spawnSync } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Io } from '../../terminal/io.ts'
import type { CommandLine } from './editor-texts.ts'

/** The PATH of an editor that was started from a desktop. */
const smallPath = '/usr/bin:/bin'
const startMsMax = 10_000

/**
 * The command line for settings of editors: the start script beside this command, which finds Node, so that an update of Node changes nothing.
 * If it finds none with the PATH of a desktop, and on Windows: Node and the command.
 */
export function ownCommandLine({ self, platform }: Pick<Io, 'self' | 'platform'>): CommandLine {
  const [, script] = self
  if (script === undefined || platform === 'win32') return self
  const isLink = lstatSync(script, { throwIfNoEntry: false })?.isSymbolicLink() === true
  // Follows only a link of the file itself: a linked folder may be the stable name of another.
  const start = join(dirname(isLink ? realpathSync(script) : script), 'ostler')
  const { status } = spawnSync(start, ['--version'], {
    env: { PATH: smallPath },
    stdio: 'ignore',
    timeout: startMsMax,
  })
  return status === 0 ? [start] : self
}
