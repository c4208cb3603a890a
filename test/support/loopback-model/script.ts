import type { Frame } from './wire.ts'

/** The scripted model's answer to one request: plain data, independent of the vendor. */
export interface Reply {
  readonly thoughts?: string | { readonly text: string; readonly signature: string }
  /** Each string of a list is one chunk; a single string is split into a few. */
  readonly text?: string | readonly string[]
  /** The tools that the vendor's own search finds before the calls. Only Anthropic and OpenAI's responses have one. */
  readonly searches?: readonly { readonly query: string; readonly found: readonly string[] }[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** Defaults to `tool` if there are tool calls, otherwise to `end`. Only Gemini reports a malformed call. */
  readonly stop?: 'end' | 'max_tokens' | 'refusal' | 'tool' | 'malformed'
  readonly usage?: {
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly cachedTokens?: number
  }

  /** Any status but 200 answers with the vendor's error body instead of a stream. */
  readonly status?: number
  readonly errorMessage?: string
  /** Replaces the whole body of the error. */
  readonly errorBody?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Drops the connection before any answer. */
  readonly dropConnection?: boolean
  /** An error within a stream, after the text. */
  readonly streamError?: string

  /** Stops sending after this many frames, or at a named place. */
  readonly cutAfter?: number | 'text' | 'half_tool_call'
  /** The kind of cut: the response ends normally, or the socket is destroyed. */
  readonly cutBy?: 'end' | 'reset'
  /** Never ends: continues one line, adds lines to one event, or repeats the first frame of a kind. */
  readonly endless?: 'line' | 'lines' | 'text' | 'tool_args'
  /** Stops sending and waits for the client to disconnect. */
  readonly hang?: 'before_headers' | 'after_start' | 'after_text'
  /** Delay before each frame. */
  readonly delayMs?: number
  /** Sends so many frames, or all up to the first of this kind, and the others when a test allows it. */
  readonly pause?: { readonly after: number | Frame['kind']; readonly until: Promise<unknown> }
}

export interface ScriptedToolCall {
  readonly name: string
  /** A string is sent unchanged, so that it can be invalid JSON (not possible with Gemini). */
  readonly args: unknown
  readonly id?: string
  /** Gemini signs its calls. */
  readonly signature?: string
  /** OpenAI names the namespace of a tool that its search has loaded. */
  readonly namespace?: string
}

export type Script = readonly Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>)

/** A request as the scripted model understood it, independent of the vendor. */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The JSON body as the vendor would receive it. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly path: string
  /** True if the client disconnected before the answer was complete. */
  readonly disconnected: boolean
  /** Number of bytes sent so far. */
  readonly sentBytes: number
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: readonly ModelPart[]
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string; readonly signature?: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: 'search'; readonly found?: readonly string[] }
  | {
      readonly type: 'tool_result'
      readonly id: string
      readonly text: string
      readonly isError?: boolean
      readonly files?: readonly { readonly mediaType: string; readonly data: string }[]
    }

export interface ModelTool {
  readonly name: string
  /** OpenAI's responses can group tools, whose names are then unique in their group only. */
  readonly namespace?: string
  readonly description: string
  readonly inputSchema: unknown
  /** True if the vendor keeps the definition out of the prompt. */
  readonly isDeferred?: boolean
}

/** The text of a message, without its other parts. */
export function textOf(message: ModelMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
