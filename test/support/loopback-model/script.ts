/** What the scripted model answers to one request: plain data, the same for every vendor. */
export interface Reply {
  readonly thoughts?: string | { readonly text: string; readonly signature: string }
  /** Each string of a list is one chunk on the wire; a single string is cut into a few. */
  readonly text?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** `tool` when there are tool calls, `end` otherwise. */
  readonly stop?: 'end' | 'max_tokens' | 'refusal' | 'tool'
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly cachedTokens?: number }

  /** Anything but 200 answers with the vendor's error body and no stream. */
  readonly status?: number
  readonly errorMessage?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Drops the connection before any answer. */
  readonly dropConnection?: boolean
  /** An error that arrives inside a stream that had begun well: after the text. */
  readonly streamError?: string

  /** Stops sending after so many frames, or at a named place. */
  readonly cutAfter?: number | 'text' | 'half_tool_call'
  /** How a cut looks: the response ends tidily, or the socket dies. */
  readonly cutBy?: 'end' | 'reset'
  /** Never ends: one line goes on, one event gets line after line, or the first frame of a kind comes again and again. */
  readonly endless?: 'line' | 'lines' | 'text' | 'tool_args'
  /** Says nothing more, and waits for the client to leave. */
  readonly hang?: 'before_headers' | 'after_start' | 'after_text'
  /** A pause before each frame. */
  readonly delayMs?: number
}

export interface ScriptedToolCall {
  readonly name: string
  /** A string goes out as it is, so that it can be broken JSON (Gemini has no way to say that). */
  readonly args: unknown
  readonly id?: string
  /** Gemini signs its calls. */
  readonly signature?: string
}

export type Script = readonly Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>)

/** A request as the scripted model understood it, in the words of no vendor. */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The JSON body, as the vendor would have seen it. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly path: string
  /** True once the client has left before the answer was complete. */
  readonly disconnected: boolean
  /** How much of the answer has been sent. */
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
  | {
      readonly type: 'tool_result'
      readonly id: string
      readonly text: string
      readonly isError?: boolean
      readonly files?: readonly { readonly mediaType: string; readonly data: string }[]
    }

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
}

/** The text of a message, without its other parts. */
export function textOf(message: ModelMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
