import { useEffect, useRef, useState } from 'preact/hooks'
import type { AgentSettings } from '../../../api.ts'
import { useLive } from '../../api/live.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { type ApiFailure, isCancelled, post, toFailure } from '../../api/client.ts'
import { useDelayed } from '../../parts/use-delayed.ts'

const callsSettleMs = 2_000
/** Judging thousands of tools takes a while, so new calls cause requests for at most a tenth of the time. */
const restFactor = 10

/** The last answer. It stays while the next one is loading. */
export type Judged<T> = Pick<Loaded<T>, 'data' | 'error' | 'reload'>

export function useJudged<T>(
  path: string,
  settings: AgentSettings | undefined,
  version: string,
  delayMs: number,
): Judged<T> {
  const [data, setData] = useState<T>()
  const [error, setError] = useState<ApiFailure>()
  const [round, setRound] = useState(0)
  const reload = () => setRound((last) => last + 1)
  useLive('servers', reload)
  // A question that closes may have left a lasting answer.
  useLive('questions', reload)
  useLive('reopened', reload)
  // Calls may come in floods. They must be judged, and may be of tools that were not known before.
  const tookMs = useRef(0)
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useLive('calls', () => {
    later.current ??= setTimeout(
      () => {
        later.current = undefined
        reload()
      },
      Math.max(callsSettleMs, tookMs.current * restFactor),
    )
  })
  useEffect(() => () => clearTimeout(later.current), [])
  const ask = async (signal: AbortSignal) => {
    try {
      const started = performance.now()
      setData(await post<T>(path, settings === undefined ? {} : { settings }, signal))
      tookMs.current = performance.now() - started
      setError(undefined)
    } catch (failure) {
      if (!isCancelled(failure)) setError(toFailure(failure))
    }
  }
  useDelayed(
    JSON.stringify([path, settings, version, round]),
    data === undefined ? 0 : delayMs,
    (signal) => void ask(signal),
  )
  return { data, error, reload }
}
