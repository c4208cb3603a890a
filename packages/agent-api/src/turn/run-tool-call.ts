import { messageOf, OstlerError } from '../base/errors.ts'
import { toCallEnd, type CallRecord } from '../history/call.ts'
import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import type { ToolCallEnd, ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { ToolCallView } from '../messages/turn-event.ts'
import { orAborted } from '../base/or-aborted.ts'
import { isConfigured } from '../policy/tool-config.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { passwordsIn, strikeArguments, strikeInput } from '../redaction/strike-arguments.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { toShownResult } from '../tools/to-shown-result.ts'
import { toRawOutput } from '../messages/tool-output.ts'
import { redactResult } from '../redaction/redact-result.ts'
import { errorResult, type Tool, type ToolArguments, type ToolOutput, type ToolResult } from '../messages/tool.ts'
import { validateArguments } from '../tools/validate-arguments.ts'
import { titleOf } from './tool-title.ts'
import type { Turn } from './turn.ts'

/** What of a turn a call needs; a call that a person makes has no more than this. */
export interface CallPorts extends Pick<Turn, 'emit' | 'gate' | 'inspect' | 'withinLimits' | 'calls' | 'logger' | 'redactor'> {
  /** The result is for a program, not for a conversation: nothing is cut or removed from it but secrets. The history keeps what it keeps of any other. */
  readonly isWholeWanted?: boolean
}

interface Call {
  readonly view: ToolCallView
  readonly args: ToolArguments
  readonly record: CallRecord
}

interface Ended {
  readonly outcome: ToolCallEnd
  readonly result: ToolResult
}

/** The one path of a call: resolve, check the arguments, decide, ask, run, tell. Nothing else executes a tool. */
export async function runToolCall(turn: CallPorts, tools: ToolSet, call: ToolCallPart, signal: AbortSignal): Promise<ToolCallOutcome> {
  const offered = tools.find(call.wireName)
  const tool = offered?.tool
  const check = tool && validateArguments(tool.inputSchema, call.input)
  const args = check?.ok ? check.args : undefined
  return track(turn, call, offered, args, (view, record) => {
    if (offered === undefined) return end('unknown', `There is no tool named '${call.wireName}'. Nothing was run.`)
    if (args === undefined) return end('invalid', check?.ok === false ? check.problem : '')
    return passAndExecute(turn, offered, { view, args, record }, signal)
  })
}

/** A call that is not even tried, and is shown all the same. */
export function refuseToolCall(turn: CallPorts, tools: ToolSet, call: ToolCallPart, reason: string): Promise<ToolCallOutcome> {
  return track(turn, call, tools.find(call.wireName), undefined, () => end('invalid', reason))
}

/** Whatever becomes of a call, it is written down and shown before anything of it happens, and again when it has ended. */
async function track(
  turn: CallPorts,
  call: ToolCallPart,
  offered: OfferedTool | undefined,
  args: ToolArguments | undefined,
  work: (view: ToolCallView, record: CallRecord) => Ended | Promise<Ended>,
): Promise<ToolCallOutcome> {
  const tool = offered?.tool
  const view = viewOf(call, tool, args, turn.redactor)
  const { server, tool: name } = tool?.ref ?? { server: null, tool: call.wireName }
  const serverId = offered?.home.type === 'server' ? offered.home.client.config.storedId : undefined
  const record = await turn.calls.start({ id: call.id, server, serverId, tool: name, arguments: view.rawInput })
  let ended = cancelled
  try {
    await turn.emit({ type: 'tool_call', call: view })
    ended = await work(view, record)
  } finally {
    // Each of the steps that follow reads the whole of a result.
    if (isSliceOver()) await nextTurn()
    record.ended(toCallEnd(ended.outcome), turn.isWholeWanted === true ? toShownResult(ended.result, turn.redactor) : ended.result)
  }
  if (isSliceOver()) await nextTurn()
  await turn.emit({ type: 'tool_call_update', id: call.id, update: endUpdate(ended) })
  return { id: call.id, wireName: call.wireName, ref: tool?.ref, ...ended }
}

async function passAndExecute(turn: CallPorts, offered: OfferedTool, call: Call, signal: AbortSignal): Promise<Ended> {
  const { ref } = offered.tool
  const args = call.view.rawInput as ToolArguments
  const answer = await turn.gate.pass({ call: call.view, ref, args, ...turn.inspect(offered) }, signal)
  turn.logger.debug('a call was decided', { server: ref.server, tool: ref.tool, verdict: answer.verdict, rule: answer.rule })
  call.record.decided(answer.verdict, answer.rule)
  switch (answer.verdict) {
    case 'cancelled':
      return cancelled
    case 'deny':
      return end('denied', deniedText(answer.rule))
    case 'allow':
      // A person has been asked by now: nobody holds a place while somebody thinks.
      return executeWithinLimits(turn, offered, call, signal)
  }
}

function deniedText(rule: string): string {
  const who = rule.startsWith('person:') ? 'The person did not allow this call.' : `This call is not allowed (${rule}).`
  return `${who} Nothing was run. Do not try it again unless asked to.`
}

async function executeWithinLimits(turn: CallPorts, offered: OfferedTool, call: Call, signal: AbortSignal): Promise<Ended> {
  try {
    return await turn.withinLimits(
      offered,
      async () => {
        call.record.running()
        await turn.emit({ type: 'tool_call_update', id: call.view.id, update: { status: 'in_progress' } })
        return execute(turn, offered, call, signal)
      },
      signal,
    )
  } catch (error) {
    if (signal.aborted) return cancelled
    if (error instanceof OstlerError) return end('error', error.message)
    throw error
  }
}

/** The turn goes on the moment it is cancelled, even if a tool does not listen. */
async function execute(turn: CallPorts, { tool, config, home }: OfferedTool, { view, args }: Call, signal: AbortSignal): Promise<Ended> {
  if (signal.aborted) return cancelled
  let over = false
  const show = (content: readonly ToolOutput[]) => {
    if (over) return
    const shown = toShownResult({ isError: false, content }, turn.redactor)
    void turn.emit({ type: 'tool_call_update', id: view.id, update: { content: shown.content } })
  }
  const timeoutMs = config.timeoutMs.value
  // A server's call has a clock of its own, which progress sets back; a local tool has only this one, unless it waits for a person.
  const clock = home.type === 'local' && tool.isInternal !== true ? AbortSignal.timeout(timeoutMs) : undefined
  const stop = clock === undefined ? signal : AbortSignal.any([signal, clock])
  const finished = tool
    .execute(args, { toolCallId: view.id, signal: stop, timeoutMs: isConfigured(config.timeoutMs) ? timeoutMs : undefined, show })
    .catch((error: unknown) => errorResult(`The tool failed: ${turn.redactor.redact(messageOf(error))}`))
    .then(async (result): Promise<Ended> => {
      if (isSliceOver()) await nextTurn()
      const whole = turn.isWholeWanted === true
      const kept = whole ? redactResult(result, turn.redactor) : toShownResult(result, turn.redactor)
      return { outcome: result.isError ? 'error' : 'success', result: kept }
    })
  const ended = await orAborted(finished, stop, undefined)
  over = true
  if (signal.aborted) return cancelled
  return ended ?? end('error', `The tool was ended: it took longer than ${timeoutMs / 1_000} s.`)
}

function end(outcome: ToolCallEnd, text: string): Ended {
  return { outcome, result: errorResult(text) }
}

const cancelled: Ended = end('cancelled', 'cancelled')

/** As it is shown: struck and redacted before anything of it is cut. */
function viewOf(call: ToolCallPart, tool: Tool | undefined, args: ToolArguments | undefined, redactor: Redactor): ToolCallView {
  const passwords = passwordsIn(tool?.inputSchema ?? {})
  const shown = args === undefined ? strikeInput(call.input, passwords) : strikeArguments(args, passwords)
  const rawInput = redactValue(shown, redactor)
  const locations = (args && tool?.locations?.(args)) ?? []
  return {
    id: call.id,
    ref: tool?.ref,
    wireName: call.wireName,
    title: tool === undefined ? `unknown tool ${call.wireName}` : titleOf(tool.ref, args && (rawInput as ToolArguments)),
    kind: tool?.kind ?? 'other',
    rawInput,
    locations: locations.filter(({ path }) => redactor.redact(path) === path),
  }
}

function endUpdate({ outcome, result }: Ended) {
  return {
    status: outcome === 'success' ? ('completed' as const) : ('failed' as const),
    end: outcome,
    content: result.content,
    rawOutput: toRawOutput(result),
    ...(result.locations === undefined ? {} : { locations: result.locations }),
  }
}
