import { toPath } from '../route.ts'
import { describeEnd } from '../text/call-status.ts'
import { appUriIn } from '../text/app-resource.ts'
import { jsonText } from '../text/visible.ts'
import { describeTimes } from './call-clock.tsx'
import { ContentView } from './content-view.tsx'
import { CopyButton } from './copy-button.tsx'
import { DownloadButton } from './download.tsx'
import { Failure } from './failure.tsx'
import { Link } from './link.tsx'
import { OpenApp } from './open-app.tsx'
import { Status } from './status.tsx'
import { Stopwatch } from './stopwatch.tsx'
import type { ToolCallState } from './use-tool-call.tsx'

interface CallResultProps {
  readonly state: ToolCallState
  /** The server of the tool, and the tool's app. */
  readonly app?: { readonly server: string; readonly uri: string | undefined }
  readonly pathOf?: (uri: string) => string
}

/** The progress and the result of a call started on this page. */
export function CallResult({ state, app, pathOf }: CallResultProps) {
  const appUri = state.is === 'ended' ? (appUriIn(state.end.result.content) ?? app?.uri) : undefined
  return (
    <div class="call-result">
      <div class="bar call-result-head" role="status">
        {state.is === 'running' && <Status tone="busy">Running</Status>}
        {state.is === 'cancelled' && <Status tone="off">Cancelled</Status>}
        {state.is === 'failed' && <Status tone="bad">Failed</Status>}
        {state.is === 'ended' && (
          <>
            <Status tone={state.end.outcome === 'success' ? 'good' : 'bad'}>{describeEnd(state.end.outcome)}</Status>
            <span class="muted">{state.end.call !== undefined && describeTimes(state.end.call)}</span>
          </>
        )}
      </div>
      {state.is === 'running' && (
        <p>
          <Stopwatch since={state.since} /> <span class="muted">{state.progress}</span>
        </p>
      )}
      {state.is === 'failed' && <Failure failure={state.failure} />}
      {state.is === 'ended' && (
        <section aria-label="Result">
          <ContentView content={state.end.result.content} structured={state.end.result.structured} pathOf={pathOf} />
          <div class="actions">
            <CopyButton label="Copy result" text={() => jsonText(state.end.result)} />
            <DownloadButton label="Download result" name="result.json" type="application/json" content={() => jsonText(state.end.result)} />
            {app !== undefined && appUri !== undefined && <OpenApp server={app.server} uri={appUri} call={state.end.callId} />}
            <Link to={toPath('/calls', { id: state.end.callId })}>Show in Calls</Link>
          </div>
        </section>
      )}
    </div>
  )
}
