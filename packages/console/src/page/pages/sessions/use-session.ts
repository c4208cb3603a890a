import type { CallSummary, NewEntries, SessionDetail } from '../../../api.ts'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isCancelled, request } from '../../api/client.ts'
import { useLive } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { toPath } from '../../route.ts'
import { mergeOffers } from './offers.ts'

interface Arrived extends NewEntries {
  readonly since: SessionDetail
}

/** The pause between two requests, so that streaming text costs little. */
const pauseMs = 50

/** Loads a session and follows it: new entries are added as they are written. */
export function useSession(id: string) {
  const path = `/api/sessions/${encodeURIComponent(id)}`
  const loaded = useLoaded<SessionDetail>(path, 'sessions')
  const [arrived, setArrived] = useState<Arrived>()
  const [changed, setChanged] = useState<readonly CallSummary[]>([])
  const latest = useRef<Arrived | undefined>(undefined)
  const follower = useRef({ isWanted: false, isBusy: false })
  const stop = useRef(new AbortController())
  const { data } = loaded

  const follow = useCallback(async () => {
    const { current } = follower
    current.isWanted = true
    if (current.isBusy) return
    current.isBusy = true
    const { signal } = stop.current
    while (current.isWanted && !signal.aborted) {
      current.isWanted = false
      const before = latest.current
      if (before === undefined) break
      try {
        const { entries, place, offers } = await request<NewEntries>(
          toPath(`${path}/entries`, { after: before.place }),
          { signal },
        )
        if (latest.current === before && place !== before.place) {
          latest.current = {
            ...before,
            entries: [...before.entries, ...entries],
            place,
            offers: mergeOffers(before.offers, offers),
          }
          setArrived(latest.current)
          current.isWanted = true
        }
      } catch (error) {
        // The next event asks again.
        if (isCancelled(error)) break
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    current.isBusy = false
  }, [path])

  useEffect(() => {
    if (data === undefined) return
    latest.current = { since: data, entries: [], place: data.place, offers: data.offers }
    void follow()
  }, [data, follow])
  useEffect(() => () => stop.current.abort(), [])
  useLive('entries', ({ sessions }) => {
    if (sessions.includes(id)) void follow()
  })
  useLive('calls', ({ calls }) => {
    const own = calls.filter(({ sessionId }) => sessionId === id)
    if (own.length > 0) setChanged((last) => merged(last, own))
  })

  const entries =
    data === undefined ? [] : [...data.entries, ...(arrived?.since === data ? arrived.entries : [])]
  const offers = arrived?.since === data && arrived !== undefined ? arrived.offers : (data?.offers ?? [])
  return { loaded, entries, calls: merged(data?.calls ?? [], changed), offers }
}

function merged(calls: readonly CallSummary[], changed: readonly CallSummary[]): readonly CallSummary[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const call of changed) if ((byId.get(call.id)?.change ?? 0) <= call.change) byId.set(call.id, call)
  return [...byId.values()].toSorted((one, other) => one.seq - other.seq)
}
