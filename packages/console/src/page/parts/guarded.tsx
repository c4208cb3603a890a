import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { ApiFailure } from '../api/client.ts'
import { Failure } from './failure.tsx'

interface GuardedProps {
  /** The name of the part, for the message. */
  readonly what: string
  readonly children: ComponentChildren
}

/** If its content fails, only this part is replaced. The state may hold what another version of Ostler stored. */
export function Guarded({ what, children }: GuardedProps) {
  const [error, reset] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <Failure failure={new ApiFailure(0, { code: 'page.failed', message: `${what} cannot be shown: ${String(error)}` })} onRetry={reset} />
  )
}
