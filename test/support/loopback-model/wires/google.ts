import type { ModelMessage, ModelPart } from '../script.ts'
import { chunksOf, parseLoosely, stopOf, thoughtOf, usageOf, type Frame, type Wire } from '../wire.ts'

interface Body {
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] }
  readonly contents: readonly { readonly role: 'user' | 'model'; readonly parts: readonly Part[] }[]
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly {
      readonly name: string
      readonly description?: string
      readonly parametersJsonSchema?: unknown
    }[]
  }[]
}

interface Part {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly inlineData?: InlineData
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown }
  readonly functionResponse?: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly content?: unknown; readonly error?: unknown }
    readonly parts?: readonly { readonly inlineData: InlineData }[]
  }
}

interface InlineData {
  readonly mimeType: string
  readonly data: string
}

const stopReasons = {
  end: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
  tool: 'STOP',
  malformed: 'MALFORMED_FUNCTION_CALL',
} as const

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const modelPath = /\/models\/(.+):streamGenerateContent$/

/** Gemini `streamGenerateContent`. */
export const googleWire: Wire = {
  accepts: (path) => modelPath.test(path),
  decode(raw, path) {
    const body = raw as Body
    return {
      model: modelPath.exec(path)?.[1] ?? '',
      system: (body.systemInstruction?.parts ?? []).map((part) => part.text).join('\n\n'),
      messages: body.contents.map(toMessage),
      tools: (body.tools ?? [])
        .flatMap((tool) => tool.functionDeclarations ?? [])
        .map((tool) => ({
          name: tool.name,
          description: tool.description ?? '',
          inputSchema: tool.parametersJsonSchema,
        })),
    }
  },
  encode(reply, model) {
    const usage = usageOf(reply)
    const usageMetadata = {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
      cachedContentTokenCount: usage.cached,
    }
    const chunk = (kind: Frame['kind'], parts: readonly unknown[], finishReason?: string): Frame => ({
      kind,
      data: {
        candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
        usageMetadata,
        modelVersion: model,
        responseId: 'resp-1',
      },
    })
    const frames: Frame[] = []
    const thought = thoughtOf(reply)
    if (thought) {
      const chunks = chunksOf(thought.text)
      frames.push(
        ...chunks.map((text, i) =>
          chunk('thought', [
            { text, thought: true, ...(i === chunks.length - 1 && { thoughtSignature: thought.signature }) },
          ]),
        ),
      )
    }
    frames.push(...chunksOf(reply.text).map((text) => chunk('text', [{ text }])))
    if (reply.streamError !== undefined) {
      frames.push({
        kind: 'end',
        data: { error: { code: 503, message: reply.streamError, status: 'UNAVAILABLE' } },
      })
      return frames
    }
    for (const call of reply.toolCalls ?? []) {
      const args = typeof call.args === 'string' ? parseLoosely(call.args) : (call.args ?? {})
      const functionCall = { ...(call.id !== undefined && { id: call.id }), name: call.name, args }
      frames.push(
        chunk('tool_args', [
          { functionCall, ...(call.signature !== undefined && { thoughtSignature: call.signature }) },
        ]),
      )
    }
    frames.push(chunk('end', [{ text: '' }], stopReasons[stopOf(reply)]))
    return frames
  },
  errorBody: (status, message) => ({
    error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' },
  }),
}

function toMessage(content: Body['contents'][number]): ModelMessage {
  const parts = content.parts.map(toPart)
  const role =
    content.role === 'model'
      ? 'assistant'
      : parts.some((part) => part.type === 'tool_result')
        ? 'tool'
        : 'user'
  return { role, parts }
}

function toPart(part: Part): ModelPart {
  if (part.functionCall) {
    return {
      type: 'tool_call',
      id: part.functionCall.id ?? '',
      name: part.functionCall.name,
      args: part.functionCall.args,
    }
  }
  if (part.functionResponse) {
    const { id, response, parts } = part.functionResponse
    const value = response.error ?? response.content
    return {
      type: 'tool_result',
      id: id ?? '',
      text: typeof value === 'string' ? value : JSON.stringify(value),
      ...(response.error !== undefined && { isError: true }),
      files: (parts ?? []).map((file) => ({
        mediaType: file.inlineData.mimeType,
        data: file.inlineData.data,
      })),
    }
  }
  if (part.inlineData)
    return { type: 'file', mediaType: part.inlineData.mimeType, data: part.inlineData.data }
  if (part.thought) {
    return {
      type: 'thought',
      text: part.text ?? '',
      ...(part.thoughtSignature !== undefined && { signature: part.thoughtSignature }),
    }
  }
  return { type: 'text', text: part.text ?? '' }
}
