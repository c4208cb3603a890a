import type { CallApp, CallPage, CallSummary, StoredCall } from '../../../api.ts'
import { describeDecision, explainRule, formatBytes, parseRule } from '@ostler/agent-api/browser'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { CopyButton, DownloadButton } from '../../parts/buttons.tsx'
import { describeTimes } from '../../parts/time.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Link, OpenApp } from '../../parts/link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { useWaiting } from '../../parts/open-questions.ts'
import { Timeline } from '../../parts/timeline.tsx'
import { namedServerPath, toPath, sessionPath } from '../../route.ts'
import { appUriIn } from '../../text/app-resource.ts'
import { isServerRequest } from '../../text/call-status.ts'
import { formatWholeTime } from '../../text/time.ts'
import { jsonText } from '../../text/visible.ts'
import { RerunDialog } from './rerun-dialog.tsx'

export function CallDetails({ call }: { call: CallSummary }) {
  const { waitsForYou } = useWaiting()
  const [isRerunning, setRerunning] = useState(false)
  // The status in the path reloads the details when the call progresses.
  const loaded = useLoaded<StoredCall>(
    `/api/calls/${encodeURIComponent(call.id)}?${new URLSearchParams({ status: call.status })}`,
  )
  return (
    <>
      <dl class="call-facts">
        <Fact name="Started">{formatWholeTime(call.startedAt)}</Fact>
        {call.durationMs !== null && <Fact name="Duration">{describeTimes(call)}</Fact>}
        <Fact name="Decision">
          {call.decision === null
            ? call.endedAt === null
              ? waitsForYou(call)
                ? 'Waiting for your answer, in the editor or under Questions'
                : 'Not decided yet'
              : call.rule === null
                ? 'The call ended before it was decided'
                : `Not decided: ${explainRule(parseRule(call.rule))}`
            : describeDecision(call.decision, call.rule)}
          {call.rule !== null && (
            <>
              {' '}
              <code>{call.rule}</code>
            </>
          )}
        </Fact>
        <Fact name="Agent">{call.agent}</Fact>
        {call.sessionId !== null && (
          <Fact name="Session">
            <Link to={sessionPath(call.sessionId)}>{call.sessionId}</Link>
          </Fact>
        )}
        <Fact name="Call">
          <code>{call.id}</code>
        </Fact>
      </dl>
      <Loading of={loaded}>
        {(detail) => (
          <>
            {detail.fence !== null && <p class="muted">It ran {detail.fence}.</p>}
            <section aria-label="Arguments">
              <div class="section-head">
                <h2>Arguments</h2>
                <CopyButton label="Copy arguments" text={() => jsonText(detail.arguments)} />
              </div>
              <JsonTree value={detail.arguments} />
            </section>
            {detail.result === null && call.error !== null && (
              <section aria-label="Error">
                <h2>Error</h2>
                <pre class="call-error-text" tabIndex={0}>
                  {call.error}
                </pre>
              </section>
            )}
            {detail.result !== null && (
              <section aria-label={resultTitle(call)}>
                <div class="section-head">
                  <h2>
                    {resultTitle(call)}{' '}
                    {detail.resultBytes !== null && (
                      <span class="muted">{formatBytes(detail.resultBytes)}</span>
                    )}
                  </h2>
                  <CopyButton label="Copy result" text={() => jsonText(detail.result)} />
                  <DownloadButton
                    label="Download result"
                    name={`${call.tool}.json`}
                    type="application/json"
                    content={() => jsonText(detail.result)}
                  />
                </div>
                <ContentView content={detail.result.content} structured={detail.result.structured} />
              </section>
            )}
            {call.server !== null && call.endedAt !== null && !isServerRequest(call) && (
              <div class="actions">
                <button type="button" onClick={() => setRerunning(true)}>
                  Run again
                </button>
                <Link
                  class="button"
                  to={namedServerPath(call.server, 'tools', { tool: call.tool, call: call.id })}
                >
                  Edit in Tools
                </Link>
                <AppOfCall call={detail} server={call.server} />
              </div>
            )}
            {isRerunning && <RerunDialog call={detail} onClose={() => setRerunning(false)} />}
          </>
        )}
      </Loading>
      {call.sessionId !== null && call.turn !== null && (
        <TurnTimeline sessionId={call.sessionId} turn={call.turn} current={call.id} />
      )}
    </>
  )
}

/** The link to the app of the result, or else of the tool, which is known while the console is connected to the server. */
function AppOfCall({ call, server }: { call: StoredCall; server: string }) {
  const own = appUriIn(call.result?.content ?? [])
  const known = useLoaded<CallApp>(
    own === undefined ? `/api/calls/${encodeURIComponent(call.id)}/app` : undefined,
  )
  const uri = own ?? known.data?.uri
  return uri === undefined ? null : <OpenApp server={known.data?.server ?? server} uri={uri} call={call.id} />
}

/** A result says why a call failed, or what the model was told in its place. */
function resultTitle({ status, error }: CallSummary): string {
  return status === 'denied' ? 'What the model was told' : error === null ? 'Result' : 'Error'
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const callsMax = 200

function TurnTimeline({ sessionId, turn, current }: { sessionId: string; turn: number; current: string }) {
  const { data, reload } = useLoaded<CallPage>(
    toPath('/api/calls', { session: sessionId, turn, limit: callsMax }),
  )
  useLive('calls', ({ calls }) => {
    if (calls.some((call) => call.sessionId === sessionId && call.turn === turn)) reload()
  })
  if (data === undefined || data.calls.length < 2) return null
  return (
    <section aria-label={`Turn ${turn}`}>
      <h2>Turn {turn}</h2>
      <Timeline calls={data.calls} current={current} />
    </section>
  )
}
