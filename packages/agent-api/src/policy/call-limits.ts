import { setTimeout as delay } from 'node:timers/promises'
import { createSlots, type ReleaseSlot, type Slots } from '../base/slots.ts'
import type { ToolRef } from '../messages/tool.ts'
import { createRateGate, type Rate, type RateGate } from './rate-gate.ts'

/** Makes a call wait until its tool, its server and the agent as a whole have room for it. */
export interface CallLimits {
  /** Holds a place until it is disposed. Throws `limits.busy` when too many calls wait, the signal's reason when it aborts. */
  acquire(call: LimitedCall, signal: AbortSignal): Promise<Disposable>
}

interface LimitedCall {
  readonly ref: ToolRef
  readonly maxInstances: number
  readonly rate?: Rate
}

/**
 * The limits for one owner's servers; `all` is shared by all owners. Always acquired from the narrowest to the widest. So a call that waits
 * for its own tool blocks no others, and calls cannot deadlock.
 */
export function createCallLimits(all: Slots): CallLimits {
  const tools = new Map<string, Slots>()
  const rates = new Map<string, RateGate>()
  return {
    async acquire({ ref, maxInstances, rate }, signal) {
      const key = JSON.stringify([ref.server, ref.tool, maxInstances])
      const own = tools.get(key) ?? createSlots({ activeMax: maxInstances, of: `the tool '${ref.tool}'` })
      tools.set(key, own)
      const held: ReleaseSlot[] = []
      const leave = () => {
        for (const release of held.splice(0).toReversed()) release()
        if (own.active === 0 && own.waiting === 0 && tools.get(key) === own) tools.delete(key)
      }
      try {
        held.push(await own.acquire(signal))
        if (ref.server !== null && rate !== undefined) await rateGateOf(ref.server, rate).pass(signal)
        held.push(await all.acquire(signal))
      } catch (error) {
        leave()
        throw error
      }
      return { [Symbol.dispose]: leave }
    },
  }

  /** Keyed by the rate as well, because a stored server's rate may change while the agent runs. */
  function rateGateOf(server: string, rate: Rate): RateGate {
    const key = JSON.stringify([server, rate.calls, rate.perMs])
    const gate =
      rates.get(key) ?? createRateGate(`the server '${server}'`, rate, { now: () => performance.now(), wait })
    rates.set(key, gate)
    return gate
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.ceil(ms), undefined, { signal })
}
