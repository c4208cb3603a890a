import { counted, formatDuration } from '@ostler/agent-api/browser'
import type { NewServer, TestProgress } from '../../../api.ts'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { BusyButton } from '../../parts/buttons.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Status } from '../../parts/status.tsx'
import { Stopwatch } from '../../parts/time.tsx'
import { useLines } from '../../parts/use-lines.ts'
import type { Draft } from './draft.ts'

interface TestConnectionProps {
  draft: NewServer & { id?: string }
  type: Draft['type']
  commandLine: string | undefined
  onStart: () => void
}

export function TestConnection({ draft, type, commandLine, onStart }: TestConnectionProps) {
  const { state, run, cancel, reset, dialog } = useLines<TestProgress>('Run and test')
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (state.is !== 'idle') section.current?.scrollIntoView({ block: 'end' })
  }, [state.is])

  // A result applies only to the tested draft. Cleared at once, because a later effect could cancel a test that was just started.
  const tested = JSON.stringify(draft)
  useLayoutEffect(reset, [tested])

  const test = () => {
    onStart()
    void run('/api/servers/test', draft)
  }

  const isRunning = state.is === 'running'
  return (
    <section class="column test" ref={section} aria-label="Test connection">
      {commandLine !== undefined && commandLine !== '' && (
        <pre
          class="command"
          tabIndex={0}
          aria-label={type === 'stdio' ? 'Command to run' : 'Address to connect to'}
        >
          {commandLine}
        </pre>
      )}
      <div class="flow test-head">
        <BusyButton isBusy={isRunning} onClick={test}>
          Test connection
        </BusyButton>
        {isRunning && (
          <button type="button" onClick={cancel}>
            Cancel test
          </button>
        )}
        <span role="status">
          {isRunning && <Status tone="busy">Connecting</Status>}
          {state.is === 'ended' && <Status tone="good">Connected</Status>}
          {state.is === 'failed' && <Status tone="bad">Failed</Status>}
        </span>
        {state.is === 'running' && <Stopwatch since={state.since} />}
      </div>
      {state.is === 'ended' && <TestResult result={state.last} />}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {dialog}
    </section>
  )
}

const phases = [
  ['startMs', 'Start'],
  ['handshakeMs', 'Handshake'],
  ['discoveryMs', 'Discovery'],
] as const

function TestResult({ result }: { result: Extract<TestProgress, { type: 'connected' }> }) {
  const { server, tools, resources, prompts, warnings } = result
  return (
    <div class="column test-result">
      <dl class="phases">
        {phases.map(([phase, name]) => (
          <div key={phase}>
            <dt>{name}</dt>
            <dd>{formatDuration(result.phases[phase])}</dd>
          </div>
        ))}
      </dl>
      <p>
        <strong>{server.name}</strong> {server.version}, protocol {server.protocolVersion}:{' '}
        {counted(tools.length, 'tool')}, {counted(resources.length, 'resource')},{' '}
        {counted(prompts.length, 'prompt')}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
      {tools.length === 0 ? (
        <p class="muted">This server offers no tools.</p>
      ) : (
        <ul class="found-tools" aria-label="Discovered tools" tabIndex={0}>
          {tools.map(({ name, title, description }) => (
            <li key={name}>
              <code>{name}</code> <span class="muted">{title ?? description}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
