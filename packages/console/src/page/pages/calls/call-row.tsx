import type { CallSummary } from '../../../api.ts'
import { useId } from 'preact/hooks'
import { CallClock, Time } from '../../parts/time.tsx'
import { useWaiting } from '../../parts/open-questions.ts'
import { callTones, Status } from '../../parts/status.tsx'
import { consolePrefix, isConsoleAction } from './call-filter.ts'
import { CallDetails } from './call-details.tsx'
import { describeDecision } from '@ostler/agent-api/browser'

interface CallRowProps {
  call: CallSummary
  sessionTitle?: string | null
  isOpen: boolean
  onToggle: (call: CallSummary) => void
}

export function CallRow({ call, sessionTitle, isOpen, onToggle }: CallRowProps) {
  const id = useId()
  const { describe } = useWaiting()
  const isAction = isConsoleAction(call)
  return (
    <li class={`call ${isOpen ? 'is-open' : ''}`}>
      <button
        type="button"
        class="call-head"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onToggle(call)}
      >
        <span class="call-time">
          <Time at={call.startedAt} />
        </span>
        <Status tone={callTones[call.status]}>{describe(call)}</Status>
        <span class="call-tool">
          <span>
            {isAction ? (
              <span class="muted">You, in the console / </span>
            ) : (
              call.server !== null && <span class="muted">{call.server} / </span>
            )}
            <code>{isAction ? call.tool.slice(consolePrefix.length) : call.tool}</code>
          </span>{' '}
          {call.about !== null && !isOpen && <span class="call-about muted">{call.about}</span>}
        </span>
        <span class="call-duration">
          <CallClock call={call} />
        </span>
        <span class="call-session muted">
          {call.sessionId === null
            ? 'No session'
            : `${sessionTitle ?? call.sessionId.slice(0, 8)}${call.turn === null ? '' : `, turn ${call.turn}`}`}
        </span>
        {call.error !== null && !isOpen && (
          <span class={call.status === 'denied' ? 'call-error muted' : 'call-error'}>
            {call.status === 'denied' ? describeDecision('deny', call.rule) : call.error}
          </span>
        )}
      </button>
      {isOpen && (
        <div class="column call-details" id={id}>
          <CallDetails call={call} />
        </div>
      )}
    </li>
  )
}
