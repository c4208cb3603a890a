import { OstlerError } from '../base/errors.ts'
import type { FenceReport } from '../messages/fence-report.ts'
import { toSandbox, type Fence, type FencePlace, type Sandbox } from './fence.ts'
import type { Place } from './fence-profile.ts'
import { removePlaceholder } from './find-protected.ts'
import { loadFenceProfile } from './load-fence-profile.ts'
import { throughBridge } from './network/bridge.ts'
import { createHostAccess } from './network/host-access.ts'
import { openHostProxy } from './network/open-host-proxy.ts'
import { probeFence } from './probe-fence.ts'
import { toBubblewrapArguments } from './to-bubblewrap-arguments.ts'
import { toSeatbeltProfile } from './to-seatbelt-profile.ts'

/** More than a build on a large machine needs. */
const processesMax = 4_096

/**
 * Says what a fence with these settings would hold. `asks`: someone can be asked about hosts. Throws `fence.unavailable` if it is required and
 * nothing can make one.
 */
export async function checkFence(setting: Sandbox, asks: boolean): Promise<FenceReport> {
  const maker = await probeFence()
  const { level, hosts = [] } = toSandbox(setting)
  const isClosed = hosts.length === 0 && !asks
  if (maker.by !== 'nothing')
    return { by: maker.by, network: maker.perl === undefined || isClosed ? 'none' : 'allowed-hosts' }
  if (level === 'on') return maker
  throw new OstlerError('fence.unavailable', `not started, because its sandbox is required: ${maker.why}`)
}

/** The fence for one start of a program. Throws `fence.unavailable`. */
export async function openFence(setting: Sandbox, place: FencePlace): Promise<Fence> {
  const { askHost } = place
  const { hosts = [], paths = [] } = toSandbox(setting)
  const report = await checkFence(setting, askHost !== undefined)
  const maker = await probeFence()
  if (maker.by === 'nothing')
    return { report, enclose: (program) => ({ ...program, release: () => undefined }) }
  const profile = await loadFenceProfile({ ...place, writable: [...place.writable, ...paths] })
  if (maker.by === 'sandbox-exec') {
    const own = ['-p', toSeatbeltProfile(profile)]
    const { program } = maker
    return {
      report,
      enclose: ({ command, args }) => ({
        command: program,
        args: [...own, command, ...args],
        release: () => undefined,
      }),
    }
  }
  const { program, perl, prlimit } = maker
  const limits = prlimit === undefined ? [] : [prlimit, `--nproc=${processesMax}`, '--core=0']
  return {
    report,
    enclose({ command, args }, cwd) {
      const isOpen = perl !== undefined && (hosts.length > 0 || askHost !== undefined)
      const proxy = isOpen ? openHostProxy(createHostAccess(hosts, askHost)) : undefined
      const visible = proxy === undefined ? profile.visible : [...profile.visible, proxy.path]
      const bridge = isOpen && proxy ? throughBridge(perl, proxy.path, hosts) : []
      const release = holdPlaceholders(profile.absent)
      return {
        command: program,
        args: [
          ...toBubblewrapArguments({ ...profile, visible }, cwd),
          ...limits,
          ...bridge,
          command,
          ...args,
        ],
        release() {
          release()
          proxy?.close()
        },
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
