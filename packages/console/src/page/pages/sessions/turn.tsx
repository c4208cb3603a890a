import type { ServerReport } from '@ostler/agent-api'
import type { PlanEntry } from '@ostler/agent-api'
import type { CallSummary, TranscriptCall, TranscriptItem, TranscriptTurn } from '@ostler/agent-api/manage'
import { ContentView } from '../../parts/content-view.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Link } from '../../parts/link.tsx'
import { Status, type Tone } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { toPath } from '../../route.ts'
import { counted } from '../../text/quantities.ts'

/** A prompt and everything that followed, as the editor showed it. */
export function Turn({ turn: { turn, items }, calls }: { readonly turn: TranscriptTurn; readonly calls: readonly CallSummary[] }) {
  return (
    <section class="turn" aria-label={`Turn ${turn}`}>
      <h2>Turn {turn}</h2>
      {items.map((item, index) => (
        <Item key={index} item={item} />
      ))}
      {calls.length > 1 && (
        <details class="turn-timeline">
          <summary>Timeline ({counted(calls.length, 'call')})</summary>
          <Timeline calls={calls} />
        </details>
      )}
    </section>
  )
}

function Item({ item }: { readonly item: TranscriptItem }) {
  switch (item.type) {
    case 'prompt':
      return (
        <div class="message message-user" role="group" aria-label="Prompt">
          {item.content.map((block, index) =>
            block.type === 'text' ? (
              <p key={index} class="message-text">
                {block.text}
              </p>
            ) : (
              <ContentView key={index} content={[block]} />
            ),
          )}
        </div>
      )
    case 'text':
      return (
        <div class="message" role="group" aria-label="Answer">
          <p class="message-text">{item.text}</p>
        </div>
      )
    case 'thought':
      return (
        <details class="message-thought">
          <summary>Reasoning</summary>
          <p class="message-text">{item.text}</p>
        </details>
      )
    case 'call':
      return <Call call={item.call} />
    case 'plan':
      return <Plan entries={item.entries} />
    case 'compaction':
      return item.summary === undefined ? (
        <p class="muted turn-end">The older messages could not be summarized for the model. {item.error}</p>
      ) : (
        <details class="message-thought">
          <summary>Summary that the model reads from here on</summary>
          <p class="message-text">{item.summary}</p>
        </details>
      )
    case 'report':
      return <Report report={item.report} />
    case 'end':
      return item.stopReason === 'end_turn' ? null : <p class="muted turn-end">The turn ended: {item.stopReason.replaceAll('_', ' ')}</p>
  }
}

const entryWords: Readonly<Record<PlanEntry['status'], string>> = { pending: 'to do', in_progress: 'in progress', completed: 'done' }

function Plan({ entries }: { readonly entries: readonly PlanEntry[] }) {
  if (entries.length === 0) return null
  return (
    <div class="message-plan" role="group" aria-label="Plan">
      <ol>
        {entries.map(({ content, status }, index) => (
          <li key={index} class={status === 'completed' ? 'muted' : ''}>
            {content} <span class="muted">({entryWords[status]})</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const statusTones: Readonly<Record<TranscriptCall['status'], Tone>> = {
  pending: 'busy',
  in_progress: 'busy',
  completed: 'good',
  failed: 'bad',
}
const endTones: Readonly<Partial<Record<string, Tone>>> = { denied: 'warn', cancelled: 'off' }

function Call({ call }: { readonly call: TranscriptCall }) {
  return (
    <details class="message-call">
      <summary>
        <Status tone={endTones[call.end ?? ''] ?? statusTones[call.status]}>{call.end ?? call.status.replaceAll('_', ' ')}</Status>
        <span class="call-tool">{call.title}</span>
        <code class="muted">{call.wireName}</code>
      </summary>
      <div class="call-details">
        <h3>Arguments</h3>
        <JsonTree value={call.rawInput} />
        {call.content.length > 0 && (
          <>
            <h3>Result</h3>
            <ContentView content={call.content} />
          </>
        )}
        <Link to={toPath('/calls', { id: call.id })}>Show in Calls</Link>
      </div>
    </details>
  )
}

function Report({ report: { connected, waiting, failed, warnings } }: { readonly report: ServerReport }) {
  return (
    <div class="message-report" role="group" aria-label="Servers">
      {connected.length > 0 && <p>Connected: {connected.map(({ server, tools }) => `${server} (${counted(tools, 'tool')})`).join(', ')}</p>}
      {waiting.length > 0 && <p>Still connecting: {waiting.join(', ')}</p>}
      {failed.map(({ server, reason }) => (
        <p key={server} class="server-error">
          {server}: {reason}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
    </div>
  )
}
