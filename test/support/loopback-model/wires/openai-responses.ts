import type { ModelMessage, ModelPart, ModelTool } from '../script.ts'
import {
  argumentChunks,
  chunksOf,
  fromDataUrl,
  parseLoosely,
  stopOf,
  thoughtOf,
  usageOf,
  type Frame,
  type Wire,
} from '../wire.ts'

interface Body {
  readonly model: string
  readonly instructions?: string
  readonly input: readonly Item[]
  readonly tools?: readonly (
    | Tool
    | { readonly type: 'namespace'; readonly name: string; readonly tools: readonly Tool[] }
  )[]
}

interface Tool {
  /** Tools of the vendor itself have a type only. */
  readonly type: 'function' | 'web_search' | 'tool_search'
  readonly name?: string
  readonly description?: string
  readonly parameters?: unknown
  readonly defer_loading?: boolean
}

type Item =
  | {
      readonly type?: 'message'
      readonly role: 'system' | 'developer' | 'user' | 'assistant'
      readonly content: string | readonly Content[]
    }
  | {
      readonly type: 'reasoning'
      readonly summary: readonly { readonly text: string }[]
      readonly encrypted_content?: string
    }
  | {
      readonly type: 'function_call'
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
  | {
      readonly type: 'function_call_output'
      readonly call_id: string
      readonly output: string | readonly Content[]
    }
  | { readonly type: 'tool_search_call' }
  | { readonly type: 'tool_search_output'; readonly tools: readonly { readonly name: string }[] }

type Content =
  | { readonly type: 'input_text' | 'output_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string }
  | { readonly type: 'input_file'; readonly file_data: string }

/** OpenAI responses, streamed. */
export const openaiResponsesWire: Wire = {
  accepts: (path) => path.endsWith('/responses'),
  decode(raw) {
    const body = raw as Body
    const system: string[] = body.instructions === undefined ? [] : [body.instructions]
    const messages: ModelMessage[] = []
    for (const item of body.input) {
      if ('role' in item && (item.role === 'system' || item.role === 'developer'))
        system.push(textOfContent(item.content))
      else messages.push(toMessage(item))
    }
    return {
      model: body.model,
      system: system.join('\n\n'),
      messages: joinNeighbours(messages),
      tools: (body.tools ?? []).flatMap((tool) =>
        tool.type === 'namespace'
          ? tool.tools.map((inner) => ({ ...toModelTool(inner), namespace: tool.name }))
          : [toModelTool(tool)],
      ),
    }
  },
  encode(reply, model) {
    const usage = usageOf(reply)
    let sequence = 0
    const event = (kind: Frame['kind'], type: string, data: Record<string, unknown>): Frame => ({
      kind,
      event: type,
      data: { type, sequence_number: sequence++, ...data },
    })
    const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model, output: [] }
    const frames = [
      event('start', 'response.created', { response: { ...response, status: 'in_progress' } }),
      event('start', 'response.in_progress', { response: { ...response, status: 'in_progress' } }),
    ]
    let output = 0
    const thought = thoughtOf(reply)
    if (thought) {
      const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: null }
      const at = { item_id: item.id, output_index: output, summary_index: 0 }
      frames.push(
        event('thought', 'response.output_item.added', { output_index: output, item }),
        event('thought', 'response.reasoning_summary_part.added', {
          ...at,
          part: { type: 'summary_text', text: '' },
        }),
        ...chunksOf(thought.text).map((delta) =>
          event('thought', 'response.reasoning_summary_text.delta', { ...at, delta }),
        ),
        event('thought', 'response.reasoning_summary_part.done', {
          ...at,
          part: { type: 'summary_text', text: thought.text },
        }),
        event('thought', 'response.output_item.done', {
          output_index: output,
          item: {
            ...item,
            summary: [{ type: 'summary_text', text: thought.text }],
            encrypted_content: thought.signature,
          },
        }),
      )
      output++
    }
    if (reply.text !== undefined) {
      const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
      const at = { item_id: item.id, output_index: output, content_index: 0 }
      const kind = reply.stop === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta'
      frames.push(
        event('start', 'response.output_item.added', { output_index: output, item }),
        ...chunksOf(reply.text).map((delta) => event('text', kind, { ...at, delta })),
        event('text', 'response.output_item.done', {
          output_index: output,
          item: { ...item, status: 'completed' },
        }),
      )
      output++
    }
    if (reply.streamError !== undefined) {
      frames.push(
        event('end', 'error', {
          error: { type: 'server_error', code: 'server_error', message: reply.streamError, param: null },
        }),
      )
      return frames
    }
    for (const [number, { query, found }] of (reply.searches ?? []).entries()) {
      const hosted = { execution: 'server', call_id: null, status: 'completed' }
      const search = { id: `ts_${number}`, type: 'tool_search_call', ...hosted, arguments: { query } }
      const tools = found.map((name) => ({ type: 'function', name, defer_loading: true, parameters: {} }))
      const result = { id: `tso_${number}`, type: 'tool_search_output', ...hosted, tools }
      for (const item of [search, result]) {
        frames.push(
          event('text', 'response.output_item.added', { output_index: output, item }),
          event('text', 'response.output_item.done', { output_index: output, item }),
        )
        output++
      }
    }
    for (const [number, call] of (reply.toolCalls ?? []).entries()) {
      const item = {
        id: `fc_${number}`,
        type: 'function_call',
        call_id: call.id ?? `call_${number}`,
        name: call.name,
        ...(call.namespace !== undefined && { namespace: call.namespace }),
        arguments: '',
      }
      const at = { item_id: item.id, output_index: output }
      const chunks = argumentChunks(call.args)
      frames.push(
        event('tool_start', 'response.output_item.added', {
          output_index: output,
          item: { ...item, status: 'in_progress' },
        }),
        ...chunks.map((delta) =>
          event('tool_args', 'response.function_call_arguments.delta', { ...at, delta }),
        ),
        event('tool_args', 'response.function_call_arguments.done', { ...at, arguments: chunks.join('') }),
        event('tool_args', 'response.output_item.done', {
          output_index: output,
          item: { ...item, arguments: chunks.join(''), status: 'completed' },
        }),
      )
      output++
    }
    const isShort = stopOf(reply) === 'max_tokens'
    const end = isShort ? 'response.incomplete' : 'response.completed'
    frames.push(
      event('end', end, {
        response: {
          ...response,
          status: isShort ? 'incomplete' : 'completed',
          incomplete_details: isShort ? { reason: 'max_output_tokens' } : null,
          usage: {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          },
        },
      }),
    )
    return frames
  },
  errorBody: (_status, message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
}

function toModelTool({ type, name = type, description = '', parameters, defer_loading }: Tool): ModelTool {
  return { name, description, inputSchema: parameters, ...(defer_loading === true && { isDeferred: true }) }
}

function toMessage(item: Item): ModelMessage {
  if ('role' in item)
    return { role: item.role === 'assistant' ? 'assistant' : 'user', parts: contentParts(item.content) }
  switch (item.type) {
    case 'reasoning':
      return {
        role: 'assistant',
        parts: [
          {
            type: 'thought',
            text: item.summary.map((part) => part.text).join(''),
            ...(item.encrypted_content && { signature: item.encrypted_content }),
          },
        ],
      }
    case 'function_call':
      return {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: item.call_id, name: item.name, args: parseLoosely(item.arguments) }],
      }
    case 'tool_search_call':
      return { role: 'assistant', parts: [{ type: 'search' }] }
    case 'tool_search_output':
      return { role: 'assistant', parts: [{ type: 'search', found: item.tools.map(({ name }) => name) }] }
    case 'function_call_output': {
      const parts = contentParts(item.output)
      return {
        role: 'tool',
        parts: [
          {
            type: 'tool_result',
            id: item.call_id,
            text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
            files: parts.flatMap((part) =>
              part.type === 'file' ? [{ mediaType: part.mediaType, data: part.data }] : [],
            ),
          },
        ],
      }
    }
    default:
      throw new Error(`The scripted model does not know this item: ${JSON.stringify(item)}`)
  }
}

/** This format has items instead of messages, so adjacent items of a role are joined. */
function joinNeighbours(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role === message.role && message.role !== 'user') {
      joined[joined.length - 1] = { role: last.role, parts: [...last.parts, ...message.parts] }
    } else {
      joined.push(message)
    }
  }
  return joined
}

function contentParts(content: string | readonly Content[]): ModelPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part): ModelPart => {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
        return { type: 'text', text: part.text }
      case 'input_image':
        return { type: 'file', ...fromDataUrl(part.image_url) }
      case 'input_file':
        return { type: 'file', ...fromDataUrl(part.file_data) }
    }
  })
}

function textOfContent(content: string | readonly Content[]): string {
  return contentParts(content)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')
}
