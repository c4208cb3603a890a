import type { OfferedTool } from './offered-tool.ts'
import { toolKey } from './select-tools.ts'

/** Room for tools that are found later, so that they displace no others. */
const roomForFound = 16

export interface LimitedTools {
  readonly kept: readonly OfferedTool[]
  /** Found with `find_tools` instead. */
  readonly left: readonly OfferedTool[]
}

/**
 * Chooses the tools of a request whose vendor takes at most `max`, one of them `find_tools`. Local tools come first, then those of the
 * session's servers, then the agent's. Found tools stand at the end, so that the others keep their places in the vendor's cache.
 */
export function limitTools(
  offered: readonly OfferedTool[],
  found: ReadonlySet<string>,
  max: number,
): LimitedTools {
  if (offered.length < max) return { kept: offered, left: [] }
  const room = Math.max(0, max - 1)
  const isFound = (entry: OfferedTool) => entry.home.type !== 'local' && found.has(toolKey(entry.tool.ref))
  const order = new Map([...found].map((key, place) => [key, place]))
  const placeOf = ({ tool }: OfferedTool) => order.get(toolKey(tool.ref)) ?? 0
  const local = offered.filter(({ home }) => home.type === 'local').slice(0, room)
  // The tools found last are kept.
  const finds = offered.filter(isFound).toSorted((a, b) => placeOf(a) - placeOf(b))
  const wanted = finds.slice(Math.max(0, finds.length - (room - local.length)))
  const others = offered
    .filter((entry) => entry.home.type !== 'local' && !isFound(entry))
    .toSorted((a, b) => rank(a) - rank(b))
  const base = others.slice(0, Math.max(0, room - local.length - Math.max(wanted.length, roomForFound)))
  const kept = new Set([...local, ...base, ...wanted])
  return {
    kept: [...offered.filter((entry) => kept.has(entry) && !isFound(entry)), ...wanted],
    left: offered.filter((entry) => !kept.has(entry)),
  }
}

function rank({ home }: OfferedTool): number {
  return home.type === 'server' && home.owner === 'session' ? 0 : 1
}
