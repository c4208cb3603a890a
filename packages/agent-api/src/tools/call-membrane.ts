import type { ToolCallPart } from '../messages/message.ts'
import type { CallPlan, JsonSchema, Tool, ToolArguments, ToolOutput, ToolResult } from '../messages/tool.ts'
import type { ToolCallView } from '../messages/turn-event.ts'
import type { PlanFacts } from '../policy/approval.ts'
import { cleanOutputs, redactResult, cleanResult } from '../redaction/redact-result.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { passwordsIn, strikeArguments, strikeInput } from '../redaction/strike-arguments.ts'
import { titleOf, toTitleLine } from './tool-title.ts'
import { boundResult, capResult } from './cap-result.ts'
import { withoutFiles } from '../messages/without-files.ts'

/**
 * Whatever a tool returns passes it on arrival. A call passes it before it is shown, recorded, or asked about; it runs with its real
 * arguments.
 */
export interface CallMembrane {
  readonly result: (result: ToolResult) => ToolResult
  readonly progress: (content: readonly ToolOutput[]) => readonly ToolOutput[]
  /** The call for a person. Arguments are undefined if they are not valid. */
  readonly view: (call: ToolCallPart, tool: Tool | undefined, args: ToolArguments | undefined) => ToolCallView
  /** The plan says more than the arguments: a real path, a diff. */
  readonly planned: (
    view: ToolCallView,
    plan: CallPlan,
  ) => { readonly view: ToolCallView; readonly facts: PlanFacts }
}

/** A `whole` result is for a program: its secrets are redacted, and nothing else is changed. */
export function createCallMembrane(redactor: Redactor, { whole = false } = {}): CallMembrane {
  return {
    result: (result) => (whole ? redactResult(result, redactor) : toShownResult(result, redactor)),
    progress: (content) => toShownResult({ isError: false, content }, redactor).content,
    view: (call, tool, args) => toView(call, tool, args, redactor),
    planned: (view, plan) => ({ view: withPlan(view, plan, redactor), facts: toPlanFacts(plan, redactor) }),
  }
}

/** True if a tool's new schema marks an argument as a password that the old one did not. */
export function marksNewPassword(schema: JsonSchema, before: JsonSchema): boolean {
  const known = passwordsIn(before)
  return [...passwordsIn(schema)].some((name) => !known.has(name))
}

/** Secret arguments are redacted before any of them is truncated. */
function toView(
  call: ToolCallPart,
  tool: Tool | undefined,
  args: ToolArguments | undefined,
  redactor: Redactor,
): ToolCallView {
  const passwords = passwordsIn(tool?.inputSchema ?? {})
  const shown = args === undefined ? strikeInput(call.input, passwords) : strikeArguments(args, passwords)
  const rawInput = redactValue(shown, redactor)
  const locations = (args && tool?.locations?.(args)) ?? []
  return {
    id: call.id,
    ref: tool?.ref,
    wireName: call.wireName,
    title: toTitleLine(
      tool === undefined
        ? `unknown tool ${call.wireName}`
        : titleOf(tool.ref, args && (rawInput as ToolArguments)),
    ),
    kind: tool?.kind ?? 'other',
    rawInput,
    locations: withoutSecrets(locations, redactor),
  }
}

function withPlan(
  view: ToolCallView,
  { title, content, locations }: CallPlan,
  redactor: Redactor,
): ToolCallView {
  return {
    ...view,
    title: toTitleLine(redactor.redact(title)),
    ...(content !== undefined && { content: cleanOutputs(withoutLongDiffs(content), redactor) }),
    ...(locations !== undefined && { locations: withoutSecrets(locations, redactor) }),
  }
}

/** If a text contains a secret, it is redacted, and an answer for longer than this call is no longer possible. */
function toPlanFacts(
  { effect, outside = [], outsideFolder, sensitive = [], command, fence, origin }: CallPlan,
  { redact, redactCommand }: Redactor,
): PlanFacts {
  return {
    effect,
    outside: outside.map(redact),
    ...(outsideFolder !== undefined && redact(outsideFolder) === outsideFolder && { outsideFolder }),
    sensitive: sensitive.map(redact),
    ...(command !== undefined && {
      command: { line: redactCommand(command.line), cwd: redact(command.cwd) },
    }),
    ...(fence !== undefined && { fence }),
    ...(origin !== undefined && { origin: redact(origin) }),
  }
}

function withoutSecrets(locations: ToolCallView['locations'], redactor: Redactor): ToolCallView['locations'] {
  return locations.filter(({ path }) => redactor.redact(path) === path)
}

export function toShownResult(result: ToolResult, redactor: Redactor): ToolResult {
  const { structured } = result
  const content = withoutLongDiffs(result.content)
  const shown = structured === undefined ? structured : withoutFiles(structured, content)
  const bound = boundResult({ ...result, content, structured: shown }, redactor)
  return capResult(cleanResult(bound.result, redactor), bound)
}

/** Searching a longer text for secrets would block the event loop. */
const diffCharsMax = 300_000

export function withoutLongDiffs(content: readonly ToolOutput[]): readonly ToolOutput[] {
  return content.map((output) => {
    if (output.type !== 'diff') return output
    const length = (output.oldText?.length ?? 0) + output.newText.length
    if (length <= diffCharsMax) return output
    return {
      type: 'text',
      text: `[What this changes is too large to show: ${length.toLocaleString('en')} characters.]`,
    }
  })
}
