import type {
  CallSummary,
  PlanEntry,
  ServerReport,
  StopReason,
  ToolOffer,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
  Usage,
} from '../../../api.ts'
import { counted, describeDecision, foldTranscript, statusOfCall } from '@ostler/agent-api/browser'
import { useMemo, useState } from 'preact/hooks'
import { CallClock } from '../../parts/time.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Link } from '../../parts/link.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { useWaiting } from '../../parts/open-questions.ts'
import { callTones, Status } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { toPath } from '../../route.ts'
import { isQuestion, statusWords } from '../../text/call-status.ts'
import { formatCost, formatCount } from '../../text/quantities.ts'
import { ToolOffers } from './tool-offers.tsx'

interface TurnProps {
  turn: number
  entries: readonly TranscriptEntry[]
  calls: readonly CallSummary[]
  isLive: boolean
  offers: readonly ToolOffer[]
  costBefore: number
}

export function Turn({ turn, entries, calls, isLive, offers, costBefore }: TurnProps) {
  // Entries are only ever added, so these two say whether there are new ones.
  const items = useMemo(
    () => foldTranscript(entries).flatMap((folded) => folded.items),
    [entries.length, entries.at(-1)],
  )
  const isAsked = calls.some(useWaiting().waitsForYou)
  const [isTimelineOpen, setTimelineOpen] = useState(true)
  const hasEnded = items.some(({ type }) => type === 'end')
  const isWorking = isLive && !hasEnded
  const isCutOff = !isLive && !hasEnded && items.some(({ type }) => type === 'prompt')
  return (
    <section class="column turn" aria-label={`Turn ${turn}`}>
      <h2>Turn {turn}</h2>
      {withQuestions(items, calls).map((item, index) =>
        item.type === 'question' ? (
          <AskedQuestion key={item.row.id} row={item.row} />
        ) : (
          <Item key={index} item={item} calls={calls} costBefore={costBefore} />
        ),
      )}
      {isWorking && (
        <p class="muted turn-working">
          <Status tone="busy">{isAsked ? 'Waiting for your answer' : workOf(calls)}</Status>
          {isAsked && <Link to="/questions">Answer here</Link>}
        </p>
      )}
      {isCutOff && <p class="note note-warn">Ostler ended before this turn did.</p>}
      {calls.length > 1 && (
        <details
          class="turn-timeline"
          open={isTimelineOpen}
          onToggle={(event) => setTimelineOpen(event.currentTarget.open)}
        >
          <summary>Timeline ({counted(calls.length, 'call')})</summary>
          <Timeline calls={calls} />
        </details>
      )}
      <ToolOffers offers={offers} />
    </section>
  )
}

/** Questions of servers are only in the history. Each is shown after the call in which it was asked. */
function withQuestions(
  items: readonly TranscriptItem[],
  calls: readonly CallSummary[],
): readonly (TranscriptItem | QuestionItem)[] {
  const questions = calls.filter(isQuestion)
  if (questions.length === 0) return items
  const seqs = new Map(calls.map(({ id, seq }) => [id, seq]))
  const seqOf = (item: TranscriptItem) =>
    item.type === 'call' ? (seqs.get(item.call.id) ?? Infinity) : Infinity
  const placeOf = (question: CallSummary) => items.findLastIndex((item) => seqOf(item) < question.seq)
  const byPlace = Map.groupBy(questions, placeOf)
  const at = (place: number) =>
    (byPlace.get(place) ?? []).map((row): QuestionItem => ({ type: 'question', row }))
  return [...at(-1), ...items.flatMap((item, place) => [item, ...at(place)])]
}

interface QuestionItem {
  readonly type: 'question'
  readonly row: CallSummary
}

function AskedQuestion({ row }: { row: CallSummary }) {
  const { describe } = useWaiting()
  return (
    <p class="flow muted message-question">
      <Status tone={callTones[row.status]}>{describe(row)}</Status>
      <span>
        The server {row.server ?? ''} asked you something.{' '}
        {row.decision !== null && `${describeDecision(row.decision, row.rule)}. `}
      </span>
      <Link to={toPath('/calls', { id: row.id })}>Show in Calls</Link>
    </p>
  )
}

function workOf(calls: readonly CallSummary[]): string {
  const open = calls.filter(({ endedAt }) => endedAt === null)
  return open.length === 0 ? 'The model is working' : `Running ${counted(open.length, 'tool')}`
}

interface ItemProps extends Pick<TurnProps, 'calls' | 'costBefore'> {
  item: TranscriptItem
}

function Item({ item, calls, costBefore }: ItemProps) {
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
          <Markdown text={item.text} />
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
      return <Call call={item.call} row={calls.find(({ id }) => id === item.call.id)} />
    case 'plan':
      return <Plan entries={item.entries} />
    case 'compaction':
      return item.summary === undefined ? (
        <p class="muted">The older messages could not be summarized for the model. {item.error}</p>
      ) : (
        <details class="message-thought">
          <summary>Summary that the model gets from here on{tokensText(item)}</summary>
          <p class="message-text">{item.summary}</p>
        </details>
      )
    case 'report':
      return <Report report={item.report} />
    case 'end':
      return <End stopReason={item.stopReason} usage={item.usage} costBefore={costBefore} />
  }
}

const entryWords: Readonly<Record<PlanEntry['status'], string>> = {
  pending: 'to do',
  in_progress: 'in progress',
  completed: 'done',
}

function Plan({ entries }: { entries: readonly PlanEntry[] }) {
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

const stopWords: Readonly<Partial<Record<StopReason, string>>> = {
  max_tokens: 'The answer was cut off at the model’s limit',
  max_turn_requests: 'The turn ended at the maximum number of steps',
  refusal: 'The model refused to continue',
  cancelled: 'Cancelled',
}

function tokensText({ tokensBefore, tokensAfter }: Extract<TranscriptItem, { type: 'compaction' }>): string {
  return tokensBefore === undefined || tokensAfter === undefined
    ? ''
    : `: about ${formatCount(tokensAfter)} tokens instead of ${formatCount(tokensBefore)}`
}

interface EndProps extends Pick<TurnProps, 'costBefore'> {
  stopReason: StopReason
  usage: Usage | undefined
}

function End({ stopReason, usage, costBefore }: EndProps) {
  const parts = [
    ...(stopReason in stopWords ? [stopWords[stopReason]] : []),
    ...(usage === undefined || usage.inputTokens + usage.outputTokens === 0
      ? []
      : [`${formatCount(usage.inputTokens)} tokens in`, `${formatCount(usage.outputTokens)} out`]),
    ...(usage?.cost === undefined ? [] : [costText(usage.cost, costBefore)]),
  ]
  return parts.length === 0 ? null : <p class="muted">{parts.join(' · ')}</p>
}

function costText({ amount, currency }: NonNullable<Usage['cost']>, before: number): string {
  const inTurn = formatCost(Math.max(0, amount - before), currency)
  return before > 0 ? `${inTurn} (${formatCost(amount, currency)} so far)` : inTurn
}

/** Its row in the history has more details than the transcript. */
function CallState({ call, row }: { call: TranscriptCall; row: CallSummary | undefined }) {
  const { describe } = useWaiting()
  const status = row?.status ?? statusOfCall(call)
  return <Status tone={callTones[status]}>{row === undefined ? statusWords[status] : describe(row)}</Status>
}

function Call({ call, row }: { call: TranscriptCall; row: CallSummary | undefined }) {
  return (
    <details class="message-call">
      <summary>
        <CallState call={call} row={row} />
        <span class="call-tool">{call.title}</span>
        <code class="muted">{call.wireName}</code>
        {row !== undefined && (
          <span class="call-duration">
            <CallClock call={row} />
          </span>
        )}
      </summary>
      <div class="column call-details">
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

function Report({ report }: { report: ServerReport }) {
  const { connected, waiting, failed, warnings, remarks = [] } = report
  if ([connected, waiting, failed, warnings, remarks].every(({ length }) => length === 0)) return null
  return (
    <div class="message-report" role="group" aria-label="Servers">
      {connected.length > 0 && (
        <p>
          Connected:{' '}
          {connected.map(({ server, tools }) => `${server} (${counted(tools, 'tool')})`).join(', ')}
        </p>
      )}
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
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </div>
  )
}
