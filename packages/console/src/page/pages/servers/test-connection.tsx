import type { NewServer } from '@ostler/agent-api/manage'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TestProgress } from '../../../api.ts'
import { ApiFailure, isCancelled, requestLines, toFailure } from '../../api/client.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Stopwatch } from '../../parts/stopwatch.tsx'
import { Status } from '../../parts/status.tsx'
import type { Draft } from './draft.ts'
import { TestResult } from './test-result.tsx'

interface TestConnectionProps {
  readonly draft: NewServer & { readonly id?: string }
  readonly type: Draft['type']
  readonly commandLine: string | undefined
  readonly onStart: () => void
}

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'running'; readonly since: number }
  | { readonly is: 'connected'; readonly result: Extract<TestProgress, { type: 'connected' }> }
  | { readonly is: 'failed'; readonly failure: ApiFailure }

/** Connects the server of the form, shows the result, and disconnects. Nothing is stored. */
export function TestConnection({ draft, type, commandLine, onStart }: TestConnectionProps) {
  const [state, setState] = useState<State>({ is: 'idle' })
  const controller = useRef<AbortController | undefined>(undefined)
  const { withConfirmation, dialog } = useCommandConfirm()
  const section = useRef<HTMLElement>(null)
  useEffect(() => () => controller.current?.abort(), [])
  useEffect(() => {
    if (state.is !== 'idle') section.current?.scrollIntoView({ block: 'end' })
  }, [state.is])

  // A result applies only to the tested draft. Cleared at once, because a later effect could cancel a test that was just started.
  const tested = JSON.stringify(draft)
  useLayoutEffect(() => {
    controller.current?.abort()
    setState({ is: 'idle' })
  }, [tested])

  const idle = () => setState({ is: 'idle' })
  const test = async () => {
    onStart()
    const { signal } = (controller.current = new AbortController())
    try {
      await withConfirmation(
        'Run and test',
        async (confirmed) => {
          setState({ is: 'running', since: performance.now() })
          const lines = requestLines<TestProgress>('/api/servers/test', { method: 'POST', body: { ...draft, ...confirmed }, signal })
          for await (const line of lines) {
            if (line.type === 'connected') setState({ is: 'connected', result: line })
            if (line.type === 'failed') setState({ is: 'failed', failure: new ApiFailure(200, line.error) })
          }
        },
        idle,
      )
      setState((last) => (last.is === 'running' ? { is: 'idle' } : last))
    } catch (error) {
      setState(error instanceof Declined || isCancelled(error) ? { is: 'idle' } : { is: 'failed', failure: toFailure(error) })
    }
  }

  const isRunning = state.is === 'running'
  return (
    <section class="column test" ref={section} aria-label="Test connection">
      {commandLine !== undefined && commandLine !== '' && (
        <pre class="command" tabIndex={0} aria-label={type === 'stdio' ? 'Command to run' : 'Address to connect to'}>
          {commandLine}
        </pre>
      )}
      <div class="flow test-head">
        <BusyButton isBusy={isRunning} onClick={() => void test()}>
          Test connection
        </BusyButton>
        {isRunning && (
          <button type="button" onClick={() => controller.current?.abort()}>
            Cancel test
          </button>
        )}
        <span role="status">
          {isRunning && <Status tone="busy">Connecting</Status>}
          {state.is === 'connected' && <Status tone="good">Connected</Status>}
          {state.is === 'failed' && <Status tone="bad">Failed</Status>}
        </span>
        {state.is === 'running' && <Stopwatch since={state.since} />}
      </div>
      {state.is === 'connected' && <TestResult result={state.result} />}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {dialog}
    </section>
  )
}
