import { toPath } from '../route.ts'
import { describeEnd } from '../text/call-status.ts'
import { appUriIn } from '../text/app-resource.ts'
import { jsonText } from '../text/visible.ts'
import { describeTimes, Stopwatch } from './time.tsx'
import { ContentView } from './content-view.tsx'
import { CopyButton, DownloadButton } from './buttons.tsx'
import { Failure } from './loading.tsx'
import { Link, OpenApp } from './link.tsx'
import { Status } from './status.tsx'
import type { ToolCallState } from './use-lines.ts'

interface CallResultProps {
  state: ToolCallState
  app?: { server: string; uri: string | undefined }
  pathOf?: (uri: string) => string
}

export function CallResult({ state, app, pathOf }: CallResultProps) {
  const appUri = state.is === 'ended' ? (appUriIn(state.last.result.content) ?? app?.uri) : undefined
  return (
    <div class="call-result">
      <div class="bar call-result-head" role="status">
        {state.is === 'running' && <Status tone="busy">Running</Status>}
        {state.is === 'cancelled' && <Status tone="off">Cancelled</Status>}
        {state.is === 'failed' && <Status tone="bad">Failed</Status>}
        {state.is === 'ended' && (
          <>
            <Status tone={state.last.outcome === 'success' ? 'good' : 'bad'}>
              {describeEnd(state.last.outcome)}
            </Status>
            <span class="muted">{state.last.call !== undefined && describeTimes(state.last.call)}</span>
          </>
        )}
      </div>
      {state.is === 'running' && (
        <p>
          <Stopwatch since={state.since} /> <span class="muted">{state.last?.text}</span>
        </p>
      )}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {state.is === 'ended' && (
        <section aria-label="Result">
          <ContentView
            content={state.last.result.content}
            structured={state.last.result.structured}
            pathOf={pathOf}
          />
          <div class="actions">
            <CopyButton label="Copy result" text={() => jsonText(state.last.result)} />
            <DownloadButton
              label="Download result"
              name="result.json"
              type="application/json"
              content={() => jsonText(state.last.result)}
            />
            {app !== undefined && appUri !== undefined && (
              <OpenApp server={app.server} uri={appUri} call={state.last.callId} />
            )}
            <Link to={toPath('/calls', { id: state.last.callId })}>Show in Calls</Link>
          </div>
        </section>
      )}
    </div>
  )
}
