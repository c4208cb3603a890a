import { textOf, type ModelMessage, type ModelPart } from '../script.ts'
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
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown }
  }[]
}

interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | null | readonly ContentPart[]
  readonly reasoning_content?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | { readonly type: 'file'; readonly file: { readonly file_data: string } }

const stopReasons = {
  end: 'stop',
  max_tokens: 'length',
  refusal: 'content_filter',
  tool: 'tool_calls',
  malformed: 'stop',
} as const

/** OpenAI chat completions, streamed. Also used by Ollama, LM Studio, llama.cpp, vLLM and OpenRouter. */
export const openaiChatWire: Wire = {
  accepts: (path) => path.endsWith('/chat/completions'),
  decode(raw) {
    const body = raw as Body
    const isSystem = (message: ChatMessage) => message.role === 'system' || message.role === 'developer'
    return {
      model: body.model,
      system: body.messages
        .filter(isSystem)
        .map((message) => textOf(toMessage(message)))
        .join('\n\n'),
      messages: body.messages.filter((message) => !isSystem(message)).map(toMessage),
      tools: (body.tools ?? []).map((tool) => ({
        name: tool.function.name,
        description: tool.function.description ?? '',
        inputSchema: tool.function.parameters,
      })),
    }
  },
  encode(reply, model) {
    const usage = usageOf(reply)
    const chunk = (kind: Frame['kind'], delta: unknown, finish: string | null = null): Frame => ({
      kind,
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    })
    const frames = [chunk('start', { role: 'assistant', content: '' })]
    frames.push(
      ...chunksOf(thoughtOf(reply)?.text).map((text) => chunk('thought', { reasoning_content: text })),
    )
    frames.push(...chunksOf(reply.text).map((text) => chunk('text', { content: text })))
    if (reply.streamError !== undefined) {
      frames.push({
        kind: 'end',
        data: { error: { message: reply.streamError, type: 'server_error', code: 503 } },
      })
      return frames
    }
    for (const [index, call] of (reply.toolCalls ?? []).entries()) {
      const start = {
        index,
        id: call.id ?? `call_${index}`,
        type: 'function',
        function: { name: call.name, arguments: '' },
      }
      frames.push(
        chunk('tool_start', { tool_calls: [start] }),
        ...argumentChunks(call.args).map((args) =>
          chunk('tool_args', { tool_calls: [{ index, function: { arguments: args } }] }),
        ),
      )
    }
    frames.push(chunk('end', {}, stopReasons[stopOf(reply)]))
    frames.push({
      kind: 'end',
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model,
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached },
        },
      },
    })
    frames.push({ kind: 'end', data: '[DONE]' })
    return frames
  },
  errorBody: (status, message) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'api_error', param: null, code: null },
  }),
}

function toMessage(message: ChatMessage): ModelMessage {
  if (message.role === 'tool') {
    const parts = contentParts(message.content)
    return {
      role: 'tool',
      parts: [
        {
          type: 'tool_result',
          id: message.tool_call_id ?? '',
          text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
          files: parts.flatMap((part) =>
            part.type === 'file' ? [{ mediaType: part.mediaType, data: part.data }] : [],
          ),
        },
      ],
    }
  }
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    parts: [
      ...(message.reasoning_content ? [{ type: 'thought' as const, text: message.reasoning_content }] : []),
      ...contentParts(message.content),
      ...(message.tool_calls ?? []).map((call): ModelPart => ({
        type: 'tool_call',
        id: call.id,
        name: call.function.name,
        args: parseLoosely(call.function.arguments),
      })),
    ],
  }
}

function contentParts(content: ChatMessage['content']): ModelPart[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part): ModelPart => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text }
      case 'image_url':
        return { type: 'file', ...fromDataUrl(part.image_url.url) }
      case 'input_audio':
        return { type: 'file', mediaType: `audio/${part.input_audio.format}`, data: part.input_audio.data }
      case 'file':
        return { type: 'file', ...fromDataUrl(part.file.file_data) }
    }
  })
}
