import { randomUUID } from 'node:crypto'
import type { ModelMessage, ModelPart } from '../script.ts'
import { argumentChunks, chunksOf, stopOf, thoughtOf, usageOf, type Frame, type Wire } from '../wire.ts'

interface Body {
  readonly model: string
  readonly system?: string | readonly { readonly text: string }[]
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: string | readonly Block[]
  }[]
  readonly tools?: readonly {
    readonly name: string
    readonly description?: string
    readonly input_schema: unknown
    readonly defer_loading?: boolean
  }[]
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'image' | 'document'
      readonly source: { readonly media_type: string; readonly data: string }
    }
  | { readonly type: 'server_tool_use' }
  | {
      readonly type: 'tool_search_tool_result'
      readonly content: { readonly tool_references: readonly { readonly tool_name: string }[] }
    }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content?: string | readonly Block[]
      readonly is_error?: boolean
    }

const stopReasons = {
  end: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  tool: 'tool_use',
  malformed: 'end_turn',
} as const

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Anthropic Messages, streamed. */
export const anthropicWire: Wire = {
  accepts: (path) => path === '/v1/messages',
  decode(raw) {
    const body = raw as Body
    return {
      model: body.model,
      system:
        typeof body.system === 'string'
          ? body.system
          : (body.system ?? []).map((block) => block.text).join('\n\n'),
      messages: body.messages.map(toMessage),
      tools: (body.tools ?? []).map((tool) => ({
        name: tool.name,
        description: tool.description ?? '',
        inputSchema: tool.input_schema,
        ...(tool.defer_loading === true && { isDeferred: true }),
      })),
    }
  },
  encode(reply, model) {
    const usage = usageOf(reply)
    const frames: Frame[] = [
      event('start', {
        type: 'message_start',
        message: {
          id: `msg_${randomUUID()}`,
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: usage.input, cache_read_input_tokens: usage.cached, output_tokens: 1 },
        },
      }),
      event('start', { type: 'ping' }),
    ]
    let index = 0
    const thought = thoughtOf(reply)
    if (thought) {
      frames.push(
        event('thought', {
          type: 'content_block_start',
          index,
          content_block: { type: 'thinking', thinking: '', signature: '' },
        }),
        ...chunksOf(thought.text).map((thinking) =>
          delta('thought', index, { type: 'thinking_delta', thinking }),
        ),
        delta('thought', index, { type: 'signature_delta', signature: thought.signature }),
        event('thought', { type: 'content_block_stop', index: index++ }),
      )
    }
    if (reply.text !== undefined) {
      const at = index++
      frames.push(
        event('start', { type: 'content_block_start', index: at, content_block: { type: 'text', text: '' } }),
        ...chunksOf(reply.text).map((text) => delta('text', at, { type: 'text_delta', text })),
        event('text', { type: 'content_block_stop', index: at }),
      )
    }
    if (reply.streamError !== undefined) {
      frames.push(
        event('end', { type: 'error', error: { type: 'overloaded_error', message: reply.streamError } }),
      )
      return frames
    }
    for (const [number, { query, found }] of (reply.searches ?? []).entries()) {
      const id = `srvtoolu_${number}`
      const name = 'tool_search_tool_bm25'
      const references = found.map((tool) => ({ type: 'tool_reference', tool_name: tool }))
      const content = { type: 'tool_search_tool_search_result', tool_references: references }
      const use = { type: 'server_tool_use', id, name, input: {} }
      const result = { type: 'tool_search_tool_result', tool_use_id: id, content }
      frames.push(
        event('text', { type: 'content_block_start', index, content_block: use }),
        delta('text', index, { type: 'input_json_delta', partial_json: JSON.stringify({ query }) }),
        event('text', { type: 'content_block_stop', index: index++ }),
        event('text', { type: 'content_block_start', index, content_block: result }),
        event('text', { type: 'content_block_stop', index: index++ }),
      )
    }
    for (const [number, call] of (reply.toolCalls ?? []).entries()) {
      const at = index++
      const block = { type: 'tool_use', id: call.id ?? `toolu_${number}`, name: call.name, input: {} }
      frames.push(
        event('tool_start', { type: 'content_block_start', index: at, content_block: block }),
        ...argumentChunks(call.args).map((json) =>
          delta('tool_args', at, { type: 'input_json_delta', partial_json: json }),
        ),
        event('tool_args', { type: 'content_block_stop', index: at }),
      )
    }
    frames.push(
      event('end', {
        type: 'message_delta',
        delta: { stop_reason: stopReasons[stopOf(reply)], stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event('end', { type: 'message_stop' }),
    )
    return frames
  },
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_1',
  }),
}

function event(kind: Frame['kind'], data: { type: string; [key: string]: unknown }): Frame {
  return { kind, event: data.type, data }
}

function delta(kind: Frame['kind'], index: number, change: unknown): Frame {
  return event(kind, { type: 'content_block_delta', index, delta: change })
}

/** Anthropic sends results as user content. A message with only results counts as a tool message. */
function toMessage(message: Body['messages'][number]): ModelMessage {
  const parts =
    typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content }]
      : message.content.map(toPart)
  const role =
    message.role === 'user' && parts.some((part) => part.type === 'tool_result') ? 'tool' : message.role
  return { role, parts }
}

function toPart(block: Block): ModelPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return {
        type: 'thought',
        text: block.thinking,
        ...(block.signature !== undefined && { signature: block.signature }),
      }
    case 'redacted_thinking':
      return { type: 'thought', text: '', signature: block.data }
    case 'image':
    case 'document':
      return { type: 'file', mediaType: block.source.media_type, data: block.source.data }
    case 'server_tool_use':
      return { type: 'search' }
    case 'tool_search_tool_result':
      return { type: 'search', found: block.content.tool_references.map(({ tool_name: name }) => name) }
    case 'tool_use':
      return { type: 'tool_call', id: block.id, name: block.name, args: block.input }
    case 'tool_result':
      return toToolResult(block)
  }
}

function toToolResult(block: Extract<Block, { type: 'tool_result' }>): ModelPart {
  const inner =
    typeof block.content === 'string'
      ? [{ type: 'text' as const, text: block.content }]
      : (block.content ?? []).map(toPart)
  return {
    type: 'tool_result',
    id: block.tool_use_id,
    text: inner.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    ...(block.is_error && { isError: true }),
    files: inner.flatMap((part) =>
      part.type === 'file' ? [{ mediaType: part.mediaType, data: part.data }] : [],
    ),
  }
}
