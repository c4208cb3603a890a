import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import type { FenceReport } from '../messages/fence-report.ts'
import { toSandbox, type Fence, type FencePlace, type Sandbox } from './fence.ts'
import type { Place } from './fence-profile.ts'
import { isLocked, lockOf, removePlaceholder } from './find-protected.ts'
import { loadFenceProfile } from './load-fence-profile.ts'
import { throughBridge } from './network/bridge.ts'
import { createHostAccess } from './network/host-access.ts'
import { openHostProxy } from './network/open-host-proxy.ts'
import { probeFence } from './probe-fence.ts'
import { toBubblewrapArguments } from './to-bubblewrap-arguments.ts'
import { toSeatbeltProfile } from './to-seatbelt-profile.ts'

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
    return {
      report,
      enclose: ({ command, args }, _, env) => ({ command, args, env, release: () => undefined }),
    }
  const profile = await loadFenceProfile({ ...place, writable: [...place.writable, ...paths] })
  if (maker.by === 'sandbox-exec') {
    const own = ['-p', toSeatbeltProfile(profile)]
    const { program } = maker
    return {
      report,
      enclose: ({ command, args }, _, env) => ({
        command: program,
        args: [...own, command, ...args],
        env,
        release: () => undefined,
      }),
    }
  }
  const { program, perl, limits = [] } = maker
  return {
    report,
    enclose({ command, args }, cwd, env) {
      // They would load code into bubblewrap itself, which is outside.
      const isLoader = (name: string) => name.startsWith('LD_')
      const loaders = Object.keys(env).filter(isLoader)
      const isOpen = perl !== undefined && (hosts.length > 0 || askHost !== undefined)
      const proxy = isOpen ? openHostProxy(createHostAccess(hosts, askHost)) : undefined
      const visible = proxy === undefined ? profile.visible : [...profile.visible, proxy.path]
      const bridge = isOpen && proxy ? throughBridge(perl, proxy.path, hosts) : []
      const release = holdPlaceholders(profile.absent)
      return {
        command: program,
        args: [
          ...loaders.flatMap((name) => ['--setenv', name, env[name] ?? '']),
          ...[...new Set(profile.absent.map(lockOf))].flatMap((path) => ['--lock-file', path]),
          ...toBubblewrapArguments({ ...profile, visible }, cwd),
          ...limits,
          ...bridge,
          command,
          ...args,
        ],
        env: Object.fromEntries(Object.entries(env).filter(([name]) => !isLoader(name))),
        release() {
          release()
          proxy?.close()
        },
      }
    },
  }
}

const holders = new Map<string, number>()
/** The lock of a fence goes shortly after its program. */
const unlockMsMax = 500
const lookEveryMs = 20

/** Several fences can stand on one directory, also those of other processes. The last one to go removes what it had put there. */
function holdPlaceholders(places: readonly Place[]): () => void {
  for (const { path } of places) holders.set(path, (holders.get(path) ?? 0) + 1)
  let isReleased = false
  const release = async () => {
    const deadline = performance.now() + unlockMsMax
    while (places.some(isLocked) && performance.now() < deadline) await sleep(lookEveryMs)
    for (const place of places) {
      const rest = (holders.get(place.path) ?? 1) - 1
      if (rest > 0) holders.set(place.path, rest)
      else holders.delete(place.path)
      if (rest === 0 && !isLocked(place)) removePlaceholder(place)
    }
  }
  return () => {
    if (isReleased) return
    isReleased = true
    void release()
  }
}
