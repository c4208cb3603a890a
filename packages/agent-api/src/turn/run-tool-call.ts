import type { ToolCallId } from '../base/ids.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import { giveWay } from '../base/in-slices.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { CallRecord, CallStart } from '../state/calls/call.ts'
import { recorded } from '../state/calls/recorded.ts'
import type { CallOutcome, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import { toRawOutput } from '../messages/tool-output.ts'
import {
  errorResult,
  type ToolArguments,
  type ToolCallContext,
  type ToolOutput,
  type ToolResult,
} from '../messages/tool.ts'
import type { ToolCallUpdate, ToolCallView } from '../messages/turn-event.ts'
import { ruleOf } from '../policy/question.ts'
import { toText, type Rule } from '../policy/decision-rule.ts'
import { isConfigured } from '../policy/tool-config.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { resolveUse } from '../tools/use-tool.ts'
import {
  confirmCall,
  cancelled,
  ended,
  planAgain,
  prepareCall,
  withArguments,
  type Ended,
  type PreparedCall,
  type ReadyCall,
} from './prepare-call.ts'
import type { CallPorts } from './turn.ts'

/**
 * The only path of a call: resolve, check the arguments, plan (`prepareCall`), record, confirm, decide, wait, run, report (`runPrepared`).
 * Nothing else executes a tool. A call with a `refusal` is only shown and recorded.
 */
export async function runToolCall(
  ports: CallPorts,
  tools: ToolSet,
  call: ToolCallPart,
  signal: AbortSignal,
  refusal?: string,
): Promise<ToolCallOutcome> {
  const named = resolveUse(call, tools)
  const prepared = await prepareCall({ call: named, tools, refusal }, ports.membrane, signal)
  await giveWay()
  return {
    ...(await runPrepared(ports, prepared, signal)),
    id: call.id,
    wireName: named.wireName,
    ref: prepared.view.ref,
  }
}

/** Records the call before anything else, takes the remaining steps until one of them ends it, and reports the end. */
export async function runPrepared(
  ports: CallPorts,
  call: PreparedCall,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const outcome = await recorded(ports.calls, toStart(call), async (row) => {
    await ports.emit({ type: 'tool_call', call: toFirstView(call) })
    if (call.kind === 'ended') return call.end

    const confirmed = await confirm(ports, call, signal)
    if (confirmed.kind === 'ended') return confirmed.end

    const allowed = await decide(ports, confirmed, row, signal)
    if (allowed.kind === 'ended') return allowed.end

    const place = await waitForPlace(ports, allowed, signal)
    if (place.kind === 'ended') return place.end

    const first = await run(ports, allowed, { place, row }, signal)
    if (!(await gotScope(ports, allowed, first, signal))) return first

    // A refused call certainly did not run. It is repeated once.
    const again = await waitForPlace(ports, allowed, signal)
    return again.kind === 'ended' ? again.end : run(ports, allowed, { place: again, row }, signal)
  })
  return report(ports, call, outcome)
}

/**
 * The content of a secret file, or of one outside the session's directories, appears in the question only: this view is stored, and the
 * call has not been allowed yet.
 */
function toFirstView(call: PreparedCall): ToolCallView {
  if (call.kind === 'ended' || call.view.content === undefined) return call.view
  const { sensitive = [], outside = [] } = call.facts ?? {}
  if (sensitive.length === 0 && outside.length === 0) return call.view
  return { ...call.view, content: call.view.content.filter(({ type }) => type !== 'diff') }
}

function toStart(call: PreparedCall): CallStart {
  const { view, offered } = call
  const { server, tool } = view.ref ?? { server: null, tool: view.wireName }
  const isUnknown = call.kind === 'ended' && call.end.outcome === 'unknown'
  const serverId = offered?.home.type === 'server' ? offered.home.client.config.storedId : undefined
  return {
    id: view.id,
    server,
    serverId,
    tool,
    arguments: view.rawInput,
    rule: isUnknown ? { by: 'unknown' } : undefined,
  }
}

/** While the server of the call starts, its card says so. */
async function confirm(ports: CallPorts, call: ReadyCall, signal: AbortSignal): Promise<ReadyCall | Ended> {
  const { id, ref } = call.view
  let shown: Promise<void> | undefined
  const confirmed = await confirmCall(ports.tools, call, signal, () => {
    const starting = ports.membrane.progress([{ type: 'text', text: `starting ${ref?.server}` }])
    shown = ports.emit({ type: 'tool_call_update', id, update: { content: starting } })
  })
  await shown
  if (shown !== undefined && confirmed.kind === 'ready')
    await ports.emit({ type: 'tool_call_update', id, update: { content: [] } })
  return confirmed
}

/** Asks the person if the rules say so. Returns the call that was allowed: if it had to wait for an answer, its plan may be newer. */
async function decide(
  ports: CallPorts,
  ready: ReadyCall,
  row: Pick<CallRecord, 'decided'>,
  signal: AbortSignal,
): Promise<ReadyCall | Ended> {
  const { ref } = ready.offered.tool
  const { facts, ...inspected } = ports.tools.inspect(ready.offered)
  let now = ready as ReadyCall | Ended
  const toAsked = ({ view, facts: planFacts }: ReadyCall) => ({
    call: view,
    facts: { ...facts, plan: planFacts },
  })
  const renew = async () => {
    now = await planAgain(ready, ports.membrane, signal)
    return now.kind === 'ended' ? undefined : toAsked(now)
  }
  const question = {
    kind: 'call' as const,
    ref,
    args: ready.view.rawInput as ToolArguments,
    ...inspected,
    ...toAsked(ready),
    renew,
  }
  const { verdict, rule, args } = await ports.person.gate.pass(question, signal)
  ports.logger.debug('a call was decided', {
    server: ref.server,
    tool: ref.tool,
    verdict,
    rule: toText(rule),
  })
  if (args !== undefined && now.kind === 'ready') {
    const changed = await withArguments(now, args, ports.membrane, signal)
    row.decided(verdict, rule, changed.kind === 'ready' ? changed.view.rawInput : undefined)
    if (changed.kind === 'ended') return changed
    // The person must see what the changed call does before allowing it, so they are asked again.
    return changed.facts === undefined ? changed : decide(ports, changed, row, signal)
  }
  row.decided(verdict, rule)
  switch (verdict) {
    case 'allow':
      return now
    case 'cancelled':
      return cancelled
    case 'deny':
      return now.kind === 'ended' ? now : ended('denied', ready.denial ?? deniedText(rule))
  }
}

function deniedText(rule: Rule): string {
  const reason =
    rule.by === 'person'
      ? 'The person did not allow this call.'
      : rule.by === 'tools'
        ? 'The person has switched this tool off.'
        : `This call is not allowed (${rule.by === 'no-approver' ? 'nobody could be asked' : toText(rule)}).`
  return `${reason} Nothing was run. Do not try it again unless asked to.`
}

function createAskForm(
  { ask }: CallPorts['person'],
  callId: ToolCallId,
  row: Pick<CallRecord, 'decided'>,
  signal: AbortSignal,
): ToolCallContext['askForm'] {
  return (
    ask &&
    (async (form) => {
      const question = { kind: 'form', server: null, ...form, callId } as const
      const answer = await ask(question, signal)
      row.decided(answer.verdict, ruleOf(question, answer))
      return answer
    })
  )
}

/** True if the server refused the call for lack of permissions, and the person has logged in with them. */
async function gotScope(
  ports: CallPorts,
  { offered }: ReadyCall,
  { needsScope }: RunOutcome,
  signal: AbortSignal,
): Promise<boolean> {
  return needsScope !== undefined && (await ports.person.offerScope?.(offered, needsScope, signal)) === true
}

interface Place extends Disposable {
  readonly kind: 'placed'
}

/** The person has answered by now, because a call that waits for an answer must not occupy a slot. */
async function waitForPlace(
  ports: CallPorts,
  { offered }: ReadyCall,
  signal: AbortSignal,
): Promise<Place | Ended> {
  try {
    const slot = await ports.tools.acquire(offered, signal)
    return { kind: 'placed', [Symbol.dispose]: () => slot[Symbol.dispose]() }
  } catch (error) {
    if (signal.aborted) return cancelled
    if (error instanceof OstlerError) return ended('error', error.message)
    throw error
  }
}

interface RunOutcome extends CallOutcome {
  readonly needsScope?: string | undefined
}

async function run(
  ports: CallPorts,
  ready: ReadyCall,
  { place, row }: { readonly place: Place; readonly row: Pick<CallRecord, 'running' | 'decided'> },
  signal: AbortSignal,
): Promise<RunOutcome> {
  using _place = place
  const { home } = ready.offered
  row.running(home.type === 'server' ? home.client.fence : ready.plan?.fence)
  await ports.emit({ type: 'tool_call_update', id: ready.view.id, update: { status: 'in_progress' } })
  // Without `await`, the place would be freed before the tool has ended.
  return await execute(ports, ready, createAskForm(ports.person, ready.view.id, row, signal), signal)
}

/** Ends at once when the signal aborts, even if the tool does not listen to it. */
async function execute(
  ports: CallPorts,
  { offered, view, args, notes = [], plan }: ReadyCall,
  askForm: ToolCallContext['askForm'],
  signal: AbortSignal,
): Promise<RunOutcome> {
  if (signal.aborted) return cancelled.end
  const { tool, config, home } = offered
  const timeoutMs = config.timeoutMs.value
  // A call of a server has its own timer, which progress restarts. A local tool has only this one, unless it waits for a person or enforces
  // its own timeout.
  const clock =
    home.type === 'local' && tool.isInternal !== true && tool.hasOwnTimeout !== true
      ? AbortSignal.timeout(timeoutMs)
      : undefined
  const stop = clock === undefined ? signal : AbortSignal.any([signal, clock])
  let isOver = false
  let shown: readonly ToolOutput[] = []
  const show = (content: readonly ToolOutput[]) => {
    if (isOver) return
    shown = ports.membrane.progress(content)
    void ports.emit({ type: 'tool_call_update', id: view.id, update: { content: shown } })
  }
  const context = {
    toolCallId: view.id,
    signal: stop,
    plan,
    timeoutMs: isConfigured(config.timeoutMs) ? timeoutMs : undefined,
    show,
    askForm,
  }
  const running = tool
    .execute(args, context)
    .catch((error: unknown) => errorResult(`The tool failed: ${messageOf(error)}`))
    .then(async (result): Promise<RunOutcome> => {
      await giveWay()
      if (result.isCancelled === true) return cancelled.end
      const kept = [await ports.keep?.(result, view.id)].filter((note) => note !== undefined)
      const { needsScope, ...rest } = result
      const shown = withNotes(ports.membrane.result(rest), [...notes, ...kept])
      return { outcome: result.isError ? 'error' : 'success', result: shown, needsScope }
    })
  const outcome = await orAborted(running, stop, undefined)
  isOver = true
  if (signal.aborted || outcome?.outcome === 'cancelled') return afterShown(shown, cancelled)
  await giveWay()
  return outcome ?? afterShown(shown, ended('error', `The tool timed out after ${timeoutMs / 1_000} s.`))
}

async function report(
  { emit }: CallPorts,
  { view: { id } }: PreparedCall,
  { outcome, result: whole }: CallOutcome,
): Promise<CallOutcome> {
  await giveWay()
  const { plan, ...result } = whole
  if (plan !== undefined) await emit({ type: 'plan', entries: plan })
  const shown = { outcome, result }
  await emit({ type: 'tool_call_update', id, update: toUpdate(shown) })
  return shown
}

/** When a call is cut off, the content that a person has seen stays. */
function afterShown(shown: readonly ToolOutput[], { end }: Ended): CallOutcome {
  return { ...end, result: { ...end.result, content: [...shown, ...end.result.content] } }
}

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  return notes.length === 0
    ? result
    : { ...result, content: [...result.content, { type: 'text', text: `[Note: ${notes.join('; ')}.]` }] }
}

function toUpdate({ outcome, result }: CallOutcome): ToolCallUpdate {
  return {
    status: outcome === 'success' ? 'completed' : 'failed',
    end: outcome,
    content: result.content,
    rawOutput: toRawOutput(result),
    locations: result.locations,
  }
}
