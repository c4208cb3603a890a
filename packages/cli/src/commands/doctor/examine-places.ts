import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { toSystemReason } from '@ostler/agent-api/internal'
import type { Io } from '../../terminal/io.ts'
import type { Finding } from './finding.ts'

/** Node, and the state directory. Creates nothing. */
export function examinePlaces(
  { self: [node], nodeVersion }: Pick<Io, 'self' | 'nodeVersion'>,
  stateDir: string | undefined,
): readonly Finding[] {
  return [{ what: 'Node', state: 'ok', found: `${nodeVersion} (${node})` }, examineStateDir(stateDir)]
}

function examineStateDir(stateDir: string | undefined): Finding {
  const what = 'State directory'
  if (stateDir === undefined)
    return {
      what,
      state: 'warning',
      found: 'none, so nothing is kept',
      advice: 'Set HOME or XDG_STATE_HOME, or name one with --state-dir.',
    }
  const advice = 'Make it writable for you, or name another with --state-dir.'
  let place = stateDir
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    if (!statSync(place).isDirectory())
      return { what, state: 'problem', found: `${place} is not a directory`, advice }
    accessSync(place, constants.W_OK)
    if (statfsSync(place).bavail === 0)
      return {
        what,
        state: 'problem',
        found: `${place} cannot be written: the disk is full`,
        advice: 'Free some space, or name another with --state-dir.',
      }
    return { what, state: 'ok', found: place === stateDir ? stateDir : `${stateDir}, not created yet` }
  } catch (error) {
    return { what, state: 'problem', found: `${place} cannot be written: ${toSystemReason(error)}`, advice }
  }
}
