import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ApiFailure, isCancelled, request, toFailure } from './client.ts'
import { liveBegin, useLiveReload, type LiveList } from './live.ts'

export interface Loaded<T> {
  /** The data of this path. It stays during a reload. */
  readonly data: T | undefined
  readonly error: ApiFailure | undefined
  readonly isLoading: boolean
  reload(): void
  replace(data: T): void
}

/**
 * Sends a GET request whenever the path or the followed list changes, but only once changes are followed. An
 * undefined path sends nothing.
 */
export function useLoaded<T>(path: string | undefined, followed?: LiveList): Loaded<T> {
  const [state, setState] = useState<{
    path?: string
    data?: T
    error?: ApiFailure
  }>({})
  const [round, setRound] = useState(0)
  const [isLoading, setLoading] = useState(path !== undefined)

  useEffect(() => {
    if (path === undefined) return undefined
    const controller = new AbortController()
    setLoading(true)
    liveBegin
      .then(() => request<T>(path, { signal: controller.signal }))
      .then((data) => setState({ path, data }))
      .catch((error: unknown) => {
        if (!isCancelled(error))
          setState((last) => ({
            path,
            data: last.path === path ? last.data : undefined,
            error: toFailure(error),
          }))
      })
      .finally(() => {
        if (!controller.signal.aborted) setLoading(false)
      })
    return () => controller.abort()
  }, [path, round])

  const reload = useCallback(() => setRound((last) => last + 1), [])
  useLiveReload(followed, reload)
  const replace = useCallback((data: T) => setState({ path, data }), [path])
  const isOfThisPath = state.path === path
  return {
    data: isOfThisPath ? state.data : undefined,
    error: isOfThisPath ? state.error : undefined,
    isLoading: isLoading || !isOfThisPath,
    reload,
    replace,
  }
}
