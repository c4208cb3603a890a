import type { ToolCallId } from '../base/ids.ts'
import type { ContentBlock } from './content.ts'

/** Where a tool comes from. A local tool has no server. Tools are told apart by this pair, never by a name made from it. */
export interface ToolRef {
  readonly server: string | null
  readonly tool: string
}

/** What a tool does, for the editor's icon: ACP's kinds. */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A server's own word about its tool: a hint to show, never a reason to allow. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** The same interface for a tool of an MCP server and one that lives in this process. */
export interface Tool {
  readonly ref: ToolRef
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations?: ToolAnnotations
  readonly kind: ToolKind
  /** Ostler's own, without effect on anything: a question to the person, a look at the list of tools. It is not asked for. */
  readonly isInternal?: boolean
  /** What a call with these arguments touches, so that an editor can follow along. */
  locations?(args: ToolArguments): readonly ToolLocation[]
  /** Never throws: a failure is a result that the model reads. */
  execute(args: ToolArguments, context: ToolCallContext): Promise<ToolResult>
}

export type ToolArguments = Readonly<Record<string, unknown>>

export interface ToolCallContext {
  readonly toolCallId: ToolCallId
  readonly signal: AbortSignal
  /** How long the call may take without a word of progress, where that is configured. */
  readonly timeoutMs?: number | undefined
  /** Shows what is there so far (a line of progress, a terminal, a diff); replaced by the result at the end. */
  readonly show: (content: readonly ToolOutput[]) => void
}

export interface ToolResult {
  readonly isError: boolean
  readonly content: readonly ToolOutput[]
  /** The machine-readable twin of `content`, where the tool has one. */
  readonly structured?: unknown
  readonly locations?: readonly ToolLocation[]
}

export type ToolOutput = ContentBlock | DiffOutput | TerminalOutput

export interface DiffOutput {
  readonly type: 'diff'
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

/** A terminal of the editor; `text` is what it printed, for the model. */
export interface TerminalOutput {
  readonly type: 'terminal'
  readonly terminalId: string
  readonly text: string
}

export interface ToolLocation {
  readonly path: string
  readonly line?: number
}

export function textResult(value: string): ToolResult {
  return { isError: false, content: [{ type: 'text', text: value }] }
}

export function errorResult(value: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text: value }] }
}
