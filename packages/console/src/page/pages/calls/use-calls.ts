import type { CallPage, CallSummary } from '../../../api.ts'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, isCancelled, request, toFailure } from '../../api/client.ts'
import { liveBegin, useLive } from '../../api/live.ts'
import { toPath } from '../../route.ts'
import type { CallFilterText } from './call-filter.ts'
import { addOlder, type CallList, emptyCallList, mergeCalls, showWaiting } from './merge-calls.ts'

const pageSize = 50

/** Loads calls page by page and keeps them up to date. `open` are the calls in the address of the page. `isReading` decides whether new calls wait. */
export function useCalls(filter: CallFilterText, open: readonly string[], isReading: () => boolean) {
  const [list, setList] = useState<CallList>(emptyCallList)
  const [next, setNext] = useState<number>()
  const [failure, setFailure] = useState<ApiFailure>()
  const [state, setState] = useState<'loading' | 'older' | 'ready'>('loading')
  const [round, setRound] = useState(0)
  const controller = useRef(new AbortController())
  /** The calls that changed while the first page loads. */
  const arrived = useRef<readonly CallSummary[]>([])
  const key = toPath('/api/calls', { ...filter, limit: pageSize })

  const load = useCallback(
    async (before?: number) => {
      if (before === undefined) {
        controller.current.abort()
        controller.current = new AbortController()
        arrived.current = []
      }
      const { signal } = controller.current
      setState(before === undefined ? 'loading' : 'older')
      setFailure(undefined)
      try {
        await liveBegin
        const page = await request<CallPage>(before === undefined ? key : `${key}&before=${before}`, {
          signal,
        })
        const changed = arrived.current
        setList((last) =>
          before === undefined
            ? mergeCalls({ ...emptyCallList, calls: page.calls }, changed, filter, false)
            : addOlder(last, page.calls),
        )
        setNext(page.next)
        setState('ready')
      } catch (error) {
        if (isCancelled(error)) return
        setFailure(toFailure(error))
        setState('ready')
      }
    },
    [key],
  )

  useEffect(() => void load(), [load, round])
  useEffect(() => () => controller.current.abort(), [])
  useLive('calls', ({ calls }) => {
    if (state === 'loading') arrived.current = [...arrived.current, ...calls]
    setList((last) => mergeCalls(last, calls, filter, isReading()))
  })
  const reload = () => setRound((last) => last + 1)
  useLive('reopened', () => {
    if (isReading()) setList((last) => ({ ...last, isOutdated: true }))
    else reload()
  })

  return {
    list,
    failure,
    isLoading: state === 'loading',
    /** An open call that is not among the newest. It is shown again all the same. */
    missing: state === 'loading' ? undefined : open.find((id) => !list.calls.some((call) => call.id === id)),
    isLoadingOlder: state === 'older',
    hasOlder: next !== undefined,
    loadOlder: () => {
      if (next !== undefined && state === 'ready') void load(next)
    },
    /** Shows the waiting calls, or reloads if that is not enough. */
    showNew: () => {
      if (list.isOutdated) reload()
      else setList(showWaiting)
    },
    reload,
  }
}
