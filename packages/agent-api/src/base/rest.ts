import { statfsSync, watch, type FSWatcher } from 'node:fs'
import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

/** A pause of code that looks for changes of files again and again. It lasts until something changes in their directory. */
export interface Rest {
  readonly isActive: boolean
  /**
   * Begins a rest, or begins it anew. Does nothing where changes are not told: then look as often as without it. Look once more
   * afterwards, because a change from just before is not told, and after `restMs`, because one may be missed.
   */
  begin(directory: string | undefined): void
  end(): void
  /** Call it if a look found a change that had not been told. */
  noteMiss(): void
}

export const restMs = 60_000

/** One miss may be a change that was about to be told. */
const missesMax = 2

/**
 * File systems of Linux that only this machine writes, so that it is told of every change: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS and
 * bcachefs. Others, such as a network's, may change without a word.
 */
const localTypes = new Set([
  0xef53, 0x58_46_53_42, 0x91_23_68_3e, 0x01_02_19_94, 0x79_4c_76_30, 0xf2_f5_20_10, 0x2f_c1_2f_c1,
  0xca_45_1a_4e,
])

/** Calls back when a rest is over. All rests of a process share one descriptor of the system. */
export function createRest(onChange: () => void, logger: Logger): Rest {
  let watcher: FSWatcher | undefined
  let misses = 0

  function end(): void {
    watcher?.close()
    watcher = undefined
  }

  function wake(): void {
    end()
    onChange()
  }

  return {
    get isActive() {
      return watcher !== undefined
    },
    begin(directory) {
      end()
      if (directory === undefined || misses >= missesMax) return
      try {
        if (!isTold(directory)) return
        watcher = watch(directory, { persistent: false }, wake).on('error', wake)
      } catch (error) {
        // No such directory, or too many are watched.
        logger.debug('a directory cannot be watched', { error: messageOf(error) })
      }
    },
    end,
    noteMiss: () => void misses++,
  }
}

function isTold(directory: string): boolean {
  return process.platform === 'linux' && localTypes.has(statfsSync(directory).type)
}
