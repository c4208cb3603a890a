import { OstlerError } from '../base/errors.ts'
import type { FenceReport } from '../messages/fence-report.ts'
import type { Fence, FencePlace, SandboxLevel } from './fence.ts'
import type { Place } from './fence-profile.ts'
import { removePlaceholder } from './find-protected.ts'
import { loadFenceProfile } from './load-fence-profile.ts'
import { probeFence } from './probe-fence.ts'
import { toBubblewrapArguments } from './to-bubblewrap-arguments.ts'
import { toSeatbeltProfile } from './to-seatbelt-profile.ts'

/** Says what a fence of this level would hold. Throws `fence.unavailable` if it is required and nothing can make one. */
export async function checkFence(level: Exclude<SandboxLevel, 'off'>): Promise<FenceReport> {
  const maker = await probeFence()
  if (maker.by !== 'nothing') return { by: maker.by, network: 'none' }
  if (level === 'on') return maker
  throw new OstlerError('fence.unavailable', `not started, because its sandbox is required: ${maker.why}`)
}

/** The fence for one start of a program. Throws `fence.unavailable`. */
export async function openFence(level: Exclude<SandboxLevel, 'off'>, place: FencePlace): Promise<Fence> {
  const report = await checkFence(level)
  const maker = await probeFence()
  if (maker.by === 'nothing')
    return { report, enclose: (program) => ({ ...program, release: () => undefined }) }
  const profile = await loadFenceProfile(place)
  const isBubblewrap = maker.by === 'bubblewrap'
  return {
    report,
    enclose({ command, args }, cwd) {
      const own = isBubblewrap ? toBubblewrapArguments(profile, cwd) : ['-p', toSeatbeltProfile(profile)]
      return {
        command: maker.program,
        args: [...own, command, ...args],
        release: holdPlaceholders(isBubblewrap ? profile.absent : []),
      }
    },
  }
}

const holders = new Map<string, number>()

/** Several fences can stand on one directory. The last one to go removes what it had put there. */
function holdPlaceholders(places: readonly Place[]): () => void {
  for (const { path } of places) holders.set(path, (holders.get(path) ?? 0) + 1)
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    const last = places.filter(({ path }) => {
      const rest = (holders.get(path) ?? 1) - 1
      if (rest > 0) holders.set(path, rest)
      else holders.delete(path)
      return rest === 0
    })
    for (const place of last) void removePlaceholder(place)
  }
}
