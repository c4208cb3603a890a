import type { ApiFailure } from '../api/client.ts'

interface FailureProps {
  readonly failure: ApiFailure
  /** What it is about, where that is not plain from its place. */
  readonly about?: string
  readonly onRetry?: () => void
}

/** What went wrong, where it did. */
export function Failure({ failure, about, onRetry }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <p>
        {about !== undefined && <strong>{about}: </strong>}
        {failure.message}
      </p>
      {failure.output !== undefined && failure.output !== '' && (
        <details open>
          <summary>What the server printed last</summary>
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
