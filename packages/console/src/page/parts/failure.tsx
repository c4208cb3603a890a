import type { ApiFailure } from '../api/client.ts'

interface FailureProps {
  /** Undefined shows nothing. */
  readonly failure: ApiFailure | undefined
  /** The subject, if the position on the page does not make it clear. */
  readonly about?: string
  readonly onRetry?: () => void
}

export function Failure({ failure, about, onRetry }: FailureProps) {
  if (failure === undefined) return null
  return (
    <div class="column failure" role="alert">
      <p>
        {about !== undefined && <strong>{about}: </strong>}
        {failure.message}
      </p>
      {failure.output !== undefined && failure.output !== '' && (
        <details open>
          <summary>Last output</summary>
          <pre tabIndex={0}>{failure.output}</pre>
        </details>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
