import type { ComponentChildren } from 'preact'
import type { Loaded } from '../api/use-loaded.ts'
import { Failure } from './failure.tsx'

interface LoadingProps<T> {
  readonly of: Loaded<T>
  readonly children: (data: T) => ComponentChildren
}

/** What was loaded, or how far that has come. An error of a reload stands above what was there before. */
export function Loading<T>({ of: { data, error, isLoading, reload }, children }: LoadingProps<T>) {
  return (
    <>
      {error !== undefined && <Failure failure={error} onRetry={reload} />}
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && isLoading && <p class="loading">Loading…</p>}
    </>
  )
}
