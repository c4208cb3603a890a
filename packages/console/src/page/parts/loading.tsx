import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { ApiFailure } from '../api/client.ts'
import type { Loaded } from '../api/use-loaded.ts'

interface LoadingProps<T> {
  of: Pick<Loaded<T>, 'data' | 'error' | 'reload'> & { isLoading?: boolean }
  children: (data: T) => ComponentChildren
}

/** Shows loaded data, a loading message, or an error. The error of a reload appears above the old data. */
export function Loading<T>({ of: { data, error, isLoading = true, reload }, children }: LoadingProps<T>) {
  return (
    <>
      <Failure failure={error} onRetry={reload} />
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && isLoading && <p class="loading">Loading…</p>}
    </>
  )
}

interface FailureProps {
  failure: ApiFailure | undefined
  /** The subject, if the position on the page does not make it clear. */
  about?: string
  onRetry?: () => void
}

export function Failure({ failure, about, onRetry }: FailureProps) {
  if (failure === undefined) return null
  return (
    <div class="column failure" role="alert">
      <p>
        {about !== undefined && <strong>{about}: </strong>}
        {failure.message}
      </p>
      {failure.output && (
        <details open>
          <summary>Last output</summary>
          <pre tabIndex={0}>{failure.output}</pre>
        </details>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** An empty state. `children` says how to fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="column empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** If its content fails, only this part is replaced. The state may hold what another version of Ostler stored. */
export function Guarded({ what, children }: { what: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  const message = `${what} cannot be shown: ${String(error)}`
  return <Failure failure={new ApiFailure({ code: 'page.failed', message })} onRetry={reset} />
}
