import type { ComponentChildren } from 'preact'
import type { Loaded } from '../api/use-loaded.ts'
import { Failure } from './failure.tsx'

interface LoadingProps<T> {
  readonly of: Loaded<T>
  readonly children: (data: T) => ComponentChildren
}

/** Shows loaded data, a loading message, or an error. The error of a reload appears above the old data. */
export function Loading<T>({ of: { data, error, isLoading, reload }, children }: LoadingProps<T>) {
  return (
    <>
      <Failure failure={error} onRetry={reload} />
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && isLoading && <p class="loading">Loading…</p>}
    </>
  )
}
