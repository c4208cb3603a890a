import type { ToolCallId } from '../base/ids.ts'
import type { FenceReport } from './fence-report.ts'
import type { ContentBlock } from './content.ts'
import type { PlanEntry } from './plan.ts'
import type { Answer, FormQuestion } from './question.ts'

/** The server and name of a tool. A local tool has no server. This pair identifies a tool; a name made from it does not. */
export interface ToolRef {
  readonly server: string | null
  readonly tool: string
}

/** Same values as in ACP. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'other'

/** A JSON Schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The server's own claims about its tool: hints to show, never a reason to allow a call. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export interface WireTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Set while schemas wait: the schema of a `deferred` tool does. Ostler's own tools `find` and `call` such tools. */
  readonly deferral?: 'deferred' | 'find' | 'call'
  /** The server of a deferred tool. */
  readonly server?: string | null
}

/** A tool, either of an MCP server or of this process. */
export interface Tool {
  readonly ref: ToolRef
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[] | undefined
  readonly kind: ToolKind
  /** A tool of Ostler itself without side effects, such as a question to the person. It needs no permission. */
  readonly isInternal?: boolean
  /** True if the tool enforces its own timeout. Otherwise, a local tool is ended after the configured timeout, and its output is lost. */
  readonly hasOwnTimeout?: boolean
  /** So that an editor can follow along. */
  locations?(args: ToolArguments): readonly ToolLocation[]
  /**
   * Works out what a call would do, before anyone is asked. Has no effect. Rejects with an `OstlerError` if the call cannot work: then the
   * model reads the message, and nobody is asked.
   */
  plan?(args: ToolArguments, signal: AbortSignal): Promise<CallPlan>
  /** Never throws: a failure is a result that the model reads. */
  execute(args: ToolArguments, context: ToolCallContext): Promise<ToolResult>
}

/** The effect that a call of a built-in tool would have. The rules and the question are made from it. */
export interface CallPlan {
  /** A line for a person: `npm test`, `Edit src/app.ts (2 places)`. */
  readonly title: string
  readonly effect: CallEffect
  /** The real path that the call works on, if it is one file. */
  readonly target?: string
  /** Real paths outside the session's directories. They need approval in every mode. */
  readonly outside?: readonly string[]
  /** The folder that an answer "for this session" allows, if it contains all of `outside`. Without one, each call needs approval. */
  readonly outsideFolder?: string
  /** Real paths of files that usually hold secrets, such as `.env`. Each use needs approval, in every mode. */
  readonly sensitive?: readonly string[]
  /**
   * A shell line and its real directory. "Always allow" applies to its program and first words, in this
   * directory.
   */
  readonly command?: ShellCommand
  /** The fence in which the command would really run. Undefined without a sandbox in the settings. */
  readonly fence?: FenceReport
  /** The scheme, host and port of the page that the call fetches. "Always allow" applies to its pages only. */
  readonly origin?: string
  /** Shown before the call runs and in the question: the diff, the whole command. */
  readonly content?: readonly ToolOutput[]
  readonly locations?: readonly ToolLocation[]
}

export interface ShellCommand {
  readonly line: string
  readonly cwd: string
}

/** `none`: nothing that needs permission. */
export type CallEffect = 'none' | 'read' | 'write' | 'run' | 'fetch'

/** The arguments of a call. They match the tool's schema when the tool runs. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** Passed to a running call besides its arguments. */
export interface ToolCallContext {
  readonly toolCallId: ToolCallId
  readonly signal: AbortSignal
  /** The plan that was allowed, if the tool made one. The tool does nothing that the plan does not say. */
  readonly plan?: CallPlan | undefined
  /** Maximum time without progress, if configured. */
  readonly timeoutMs?: number | undefined
  /** Shows intermediate content (a progress line, a terminal, a diff). The result replaces it. */
  readonly show: (content: readonly ToolOutput[]) => void
  /** Asks the person for the values of a form. Undefined outside a session. */
  readonly askForm?: ((form: Pick<FormQuestion, 'message' | 'schema'>) => Promise<Answer>) | undefined
}

/** The result of a call, which the model reads. */
export interface ToolResult {
  readonly isError: boolean
  readonly content: readonly ToolOutput[]
  /** The machine-readable form of `content`, if the tool provides one. */
  readonly structured?: unknown
  readonly locations?: readonly ToolLocation[]
  /** All permissions that the server asks for. It has refused the call, so nothing was run. */
  readonly needsScope?: string
  /** True if the person cancelled a question that the call asked. This cancels the turn. */
  readonly isCancelled?: boolean
  /** Replaces the plan that the person sees. The model does not read it. */
  readonly plan?: readonly PlanEntry[]
}

/** A part of a result: content, a diff of a file, or a terminal. */
export type ToolOutput = ContentBlock | DiffOutput | TerminalOutput

export interface DiffOutput {
  readonly type: 'diff'
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

/** `text` is its output, for the model. */
interface TerminalOutput {
  readonly type: 'terminal'
  readonly terminalId: string
  readonly text: string
}

export interface ToolLocation {
  readonly path: string
  readonly line?: number
}

/** Other arguments are rejected. */
export function objectSchema(required: readonly string[], properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** Makes a successful result of a text. */
export function textResult(value: string): ToolResult {
  return { isError: false, content: [{ type: 'text', text: value }] }
}

/** Makes a failed result of a message. The model reads it, and continues. */
export function errorResult(value: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text: value }] }
}

export interface PastSearch {
  readonly text: string
  readonly tools: readonly ToolRef[]
}

/** A small `data:` image, or an https address, which Ostler never loads. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly theme?: 'light' | 'dark'
}

/** The icons that can be shown without a request. */
export function embeddedIcons(icons: readonly Icon[] | undefined): readonly Icon[] {
  return (icons ?? []).filter(({ src }) => src.startsWith('data:'))
}
