import { messageOf, OstlerError } from '../base/errors.ts'
import { orAborted } from '../base/or-aborted.ts'
import { showHidden } from '../base/strip-hidden.ts'
import type { CallOutcome } from '../history/recorded.ts'
import type { ToolCallEnd, ToolCallPart } from '../messages/message.ts'
import { errorResult, type CallPlan, type Tool, type ToolArguments } from '../messages/tool.ts'
import type { ToolCallView } from '../messages/turn-event.ts'
import type { PlanFacts } from '../policy/approval.ts'
import { cleanOutputs } from '../redaction/redact-result.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { passwordsIn, strikeArguments, strikeInput } from '../redaction/strike-arguments.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { withoutLongDiffs } from '../tools/without-long-diffs.ts'
import { validateArguments } from '../tools/validate-arguments.ts'
import { titleOf } from './tool-title.ts'

/** A call with its view: either its tool is known and the call can work, or it has ended before anything was tried. */
export type PreparedCall = ReadyCall | EndedCall

export interface ReadyCall {
  readonly kind: 'ready'
  readonly view: ToolCallView
  readonly offered: OfferedTool
  readonly args: ToolArguments
  /** Corrections of the arguments, for the model. */
  readonly notes?: readonly string[]
  /** The planned effect of the call, if its tool can tell. */
  readonly plan?: CallPlan | undefined
  /** The plan for the rules and the question. */
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

export interface CallRequest {
  readonly call: ToolCallPart
  readonly tools: ToolSet
  /** The reason why the call is not run. It is still shown and recorded. */
  readonly refusal?: string | undefined
}

/** Finds the tool, checks the arguments, and works out what the call would do. Has no effect. */
export async function prepareCall({ call, tools, refusal }: CallRequest, redactor: Redactor, signal: AbortSignal): Promise<PreparedCall> {
  const offered = tools.find(call.wireName)
  const tool = offered?.tool
  const check = tool && refusal === undefined ? validateArguments(tool.inputSchema, call.input) : undefined
  const view = viewOf(call, tool, check?.ok ? check.args : undefined, redactor)
  if (refusal !== undefined) return { ...ended('invalid', refusal), view, offered }
  if (offered === undefined || check === undefined)
    return { ...ended('unknown', `There is no tool named '${call.wireName}'. Nothing was run.`), view, offered }
  if (!check.ok) return { ...ended('invalid', check.problem), view, offered }
  const planned = await planCall(offered, check.args, redactor, signal)
  if (planned?.kind === 'ended') return { ...planned, view, offered }
  return {
    kind: 'ready',
    view: withPlan(view, planned?.plan, redactor),
    offered,
    args: check.args,
    ...(check.notes && { notes: check.notes }),
    plan: planned?.plan,
    facts: planned && toPlanFacts(planned.plan, redactor),
  }
}

/** The same call as it would be now: a file may have changed since. */
export async function planAgain(call: ReadyCall, redactor: Redactor, signal: AbortSignal): Promise<ReadyCall | Ended> {
  const planned = await planCall(call.offered, call.args, redactor, signal)
  if (planned === undefined || planned.kind === 'ended') return planned ?? call
  return { ...call, view: withPlan(call.view, planned.plan, redactor), plan: planned.plan, facts: toPlanFacts(planned.plan, redactor) }
}

/** The call with the arguments that a person gave it instead. The model is told. */
export async function withArguments(
  { offered, view, denial }: ReadyCall,
  given: ToolArguments,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<ReadyCall | Ended> {
  const input = JSON.stringify(given)
  const checked = validateArguments(offered.tool.inputSchema, input)
  if (!checked.ok) return ended('invalid', `The person changed the arguments. ${checked.problem}`)
  const { args } = checked
  const changed = viewOf({ type: 'tool_call', id: view.id, wireName: view.wireName, input }, offered.tool, args, redactor)
  const notes = [`the person changed the arguments before allowing the call. It was made with ${JSON.stringify(changed.rawInput)}`]
  return planAgain({ kind: 'ready', view: changed, offered, args, notes, ...(denial !== undefined && { denial }) }, redactor, signal)
}

/** Undefined for a tool that makes no plan. An editor that does not answer must not hold up the turn, so the call's own timeout applies. */
async function planCall(
  { tool, config }: OfferedTool,
  args: ToolArguments,
  redactor: Redactor,
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
    if (!stop.aborted)
      return ended('error', redactor.redact(error instanceof OstlerError ? error.message : `The tool failed: ${messageOf(error)}`))
  }
  return signal.aborted ? cancelled : ended('error', `The tool timed out after ${timeoutMs / 1_000} s. Nothing was run.`)
}

/** Secret arguments are redacted before any of them is truncated. */
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
    locations: withoutSecrets(locations, redactor),
  }
}

/** The plan says more than the arguments: a real path, a diff. */
function withPlan(view: ToolCallView, plan: CallPlan | undefined, redactor: Redactor): ToolCallView {
  if (plan === undefined) return view
  const { title, content, locations } = plan
  return {
    ...view,
    title: toLine(redactor.redact(title)),
    ...(content !== undefined && { content: cleanOutputs(withoutLongDiffs(content), redactor) }),
    ...(locations !== undefined && { locations: withoutSecrets(locations, redactor) }),
  }
}

/**
 * For the rules and the question. If it contains a secret, it is redacted, and an answer for longer than this call is no longer possible.
 */
function toPlanFacts({ effect, outside = [], outsideFolder, sensitive = [], command, origin }: CallPlan, redactor: Redactor): PlanFacts {
  const { redact, redactCommand } = redactor
  return {
    effect,
    outside: outside.map(redact),
    ...(outsideFolder !== undefined && redact(outsideFolder) === outsideFolder && { outsideFolder }),
    sensitive: sensitive.map(redact),
    ...(command !== undefined && { command: { line: redactCommand(command.line), cwd: redact(command.cwd) } }),
    ...(origin !== undefined && { origin: redact(origin) }),
  }
}

/** An editor shows a title on one line. The whole command is in the content. */
const titleCharsMax = 1_000

/** Hidden characters stay visible in a title, because a person decides by it. */
function toLine(title: string): string {
  const line = showHidden(title.replace(/\s+/g, ' ').trim())
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax)}…` : line
}

function withoutSecrets(locations: ToolCallView['locations'], redactor: Redactor): ToolCallView['locations'] {
  return locations.filter(({ path }) => redactor.redact(path) === path)
}
