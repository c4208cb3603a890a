import { messageOf, OstlerError } from '../base/errors.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { CallOutcome, ToolCallEnd, ToolCallPart } from '../messages/message.ts'
import { errorResult, type CallPlan, type ToolArguments } from '../messages/tool.ts'
import type { ToolCallView } from '../messages/turn-event.ts'
import type { PlanFacts } from '../policy/approval.ts'
import { marksNewPassword, type CallMembrane } from '../tools/call-membrane.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { validateArguments } from '../tools/validate-arguments.ts'
import { findProblems } from '../tools/find-problems.ts'
import type { CallTools } from './turn.ts'

/** A call with its view: either its tool is known and the call can work, or it has ended before anything was tried. */
export type PreparedCall = ReadyCall | EndedCall

export interface ReadyCall {
  readonly kind: 'ready'
  readonly view: ToolCallView
  readonly offered: OfferedTool
  readonly args: ToolArguments
  readonly notes?: readonly string[]
  readonly plan?: CallPlan | undefined
  readonly facts?: PlanFacts | undefined
  /** The model reads this instead of the usual result if the call is denied. */
  readonly denial?: string
}

interface EndedCall extends Ended {
  readonly view: ToolCallView
  readonly offered: OfferedTool | undefined
}

export interface Ended {
  readonly kind: 'ended'
  readonly end: CallOutcome
}

export function ended(outcome: ToolCallEnd, text: string): Ended {
  return { kind: 'ended', end: { outcome, result: errorResult(text) } }
}

export const cancelled = ended('cancelled', 'cancelled')

interface CallRequest {
  readonly call: ToolCallPart
  readonly tools: ToolSet
  /** The reason why the call is not run. It is still shown and recorded. */
  readonly refusal?: string | undefined
}

const deniedTool =
  'This tool is switched off or denied. Nothing was run. Do not try it again unless asked to.'

/** Has no effect. */
export async function prepareCall(
  { call, tools, refusal }: CallRequest,
  membrane: CallMembrane,
  signal: AbortSignal,
): Promise<PreparedCall> {
  const offered = tools.find(call.wireName)
  const tool = offered?.tool
  const check = tool && refusal === undefined ? validateArguments(tool.inputSchema, call.input) : undefined
  const view = membrane.view(call, tool, check?.ok ? check.args : undefined)
  if (refusal !== undefined) return { ...ended('invalid', refusal), view, offered }
  if (offered === undefined || check === undefined)
    return {
      ...ended('unknown', `There is no tool named '${call.wireName}'. Nothing was run.`),
      view,
      offered,
    }
  if (!check.ok) {
    // The right arguments would not help.
    if (tools.isDenied(offered)) return { ...ended('denied', deniedTool), view, offered }
    // The model may not have read its schema.
    const schema = tools.waits(offered)
      ? `\nThe arguments of this tool: ${JSON.stringify(offered.tool.inputSchema)}`
      : ''
    return { ...ended('invalid', check.problem + schema), view, offered }
  }
  const planned = await planCall(offered, check.args, membrane, signal)
  if (planned?.kind === 'ended') return { ...planned, view, offered }
  return {
    kind: 'ready',
    view,
    offered,
    args: check.args,
    notes: check.notes,
    ...(planned && { plan: planned.plan, ...membrane.planned(view, planned.plan) }),
  }
}

/** The same call as it would be now: a file may have changed since. */
export async function planAgain(
  call: ReadyCall,
  membrane: CallMembrane,
  signal: AbortSignal,
): Promise<ReadyCall | Ended> {
  const planned = await planCall(call.offered, call.args, membrane, signal)
  if (planned === undefined || planned.kind === 'ended') return planned ?? call
  return { ...call, plan: planned.plan, ...membrane.planned(call.view, planned.plan) }
}

/** The call with the arguments that a person gave it instead. The model is told. */
export async function withArguments(
  { offered, view, denial }: ReadyCall,
  given: ToolArguments,
  membrane: CallMembrane,
  signal: AbortSignal,
): Promise<ReadyCall | Ended> {
  const input = JSON.stringify(given)
  const checked = validateArguments(offered.tool.inputSchema, input)
  if (!checked.ok) return ended('invalid', `The person changed the arguments. ${checked.problem}`)
  const { args } = checked
  const changed = membrane.view(
    { type: 'tool_call', id: view.id, wireName: view.wireName, input },
    offered.tool,
    args,
  )
  const notes = [
    `the person changed the arguments before allowing the call. It was made with ${JSON.stringify(changed.rawInput)}`,
  ]
  return planAgain({ kind: 'ready', view: changed, offered, args, notes, denial }, membrane, signal)
}

/** Undefined for a tool that makes no plan. An editor that does not answer must not hold up the turn, so the call's own timeout applies. */
async function planCall(
  { tool, config }: OfferedTool,
  args: ToolArguments,
  membrane: CallMembrane,
  signal: AbortSignal,
): Promise<{ readonly kind: 'planned'; readonly plan: CallPlan } | Ended | undefined> {
  if (tool.plan === undefined) return undefined
  if (signal.aborted) return cancelled
  const timeoutMs = config.timeoutMs.value
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const plan = await orAborted(tool.plan(args, stop), stop, undefined)
    if (plan !== undefined) return { kind: 'planned', plan }
  } catch (error) {
    const text = error instanceof OstlerError ? error.message : `The tool failed: ${messageOf(error)}`
    if (!stop.aborted)
      return { kind: 'ended', end: { outcome: 'error', result: membrane.result(errorResult(text)) } }
  }
  return signal.aborted
    ? cancelled
    : ended('error', `The tool timed out after ${timeoutMs / 1_000} s. Nothing was run.`)
}

const problemsShown = 3

/** Makes sure that the tool is still the one that was offered. If it has changed, the arguments are checked again. */
export async function confirmCall(
  { confirm }: CallTools,
  call: ReadyCall,
  signal: AbortSignal,
  onStart: () => void,
): Promise<ReadyCall | Ended> {
  const confirmed = await orAborted(confirm(call.offered, signal, onStart), signal, undefined)
  if (confirmed === undefined) return cancelled
  if ('problem' in confirmed) return ended('error', confirmed.problem)
  const { offered } = confirmed
  const { inputSchema } = offered.tool
  if (inputSchema === call.offered.tool.inputSchema) return { ...call, offered }
  const problems = findProblems(inputSchema, call.args)
  if (problems.length > 0)
    return ended(
      'invalid',
      `The tool has changed. Its arguments do not match now: ${problems.slice(0, problemsShown).join('; ')}.`,
    )
  // The call is already shown, redacted by the schema of that time.
  if (marksNewPassword(inputSchema, call.offered.tool.inputSchema))
    return ended(
      'invalid',
      'The tool has changed. Nothing was run. Read its new description and call it again.',
    )
  return { ...call, offered }
}
