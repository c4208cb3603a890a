import type { ApiFailure } from '../api/client.ts'

interface FailureProps {
  readonly failure: ApiFailure
  readonly onRetry?: () => void
}

/** What went wrong, where it did. */
export function Failure({ failure, onRetry }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <p>{failure.message}</p>
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
