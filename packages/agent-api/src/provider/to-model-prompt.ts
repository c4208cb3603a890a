import { hashText } from '../base/hash-text.ts'
import { mapInSlices } from '../base/in-slices.ts'
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  LanguageModelV4StreamPart,
  JSONObject,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { ToolCallId } from '../base/ids.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ThoughtPart,
  ToolMessage,
  VendorMetadata,
} from '../messages/message.ts'
import type { Vendor } from './model.ts'
import { wellFormed, toReadable } from './prompt/block-text.ts'
import {
  fileFormats,
  withoutImages,
  type FileFormats,
  describeMedia,
  toFilePart,
} from './prompt/image-and-file-formats.ts'
import { toToolOutput } from './prompt/to-tool-output.ts'
import { isRecord } from '../base/is-record.ts'
import type { ContentBlock } from '../messages/content.ts'

/**
 * Converts a conversation to a form that the vendor accepts, in slices. Pure and deterministic: vendors' caches only work if a prompt grows
 * at its end.
 */
export async function toModelPrompt(
  systemPrompt: string,
  messages: readonly Message[],
  vendor: Vendor,
  { takesImages = true }: { readonly takesImages?: boolean } = {},
): Promise<LanguageModelV4Prompt> {
  const context: Context = {
    vendor,
    takesImages,
    support: takesImages ? fileFormats[vendor] : withoutImages(fileFormats[vendor]),
  }
  const prompt: LanguageModelV4Prompt =
    systemPrompt.trim() === '' ? [] : [{ role: 'system', content: wellFormed(systemPrompt) }]
  await mapInSlices(messages, (message, index) => {
    for (const each of convert(message, messages[index + 1], context)) append(prompt, each)
  })
  return vendor === 'anthropic' ? withCacheMarks(prompt) : prompt
}

interface Conversion extends Pick<Context, 'vendor' | 'takesImages'> {
  readonly answer: ToolMessage | undefined
  readonly wireMessages: readonly LanguageModelV4Message[]
}

const known = new WeakMap<Message, Conversion>()

/** Cached: messages do not change, and each step of a turn sends all earlier ones again. */
function convert(
  message: Message,
  next: Message | undefined,
  context: Context,
): readonly LanguageModelV4Message[] {
  const answer = next?.role === 'tool' ? next : undefined
  const before = known.get(message)
  const { vendor, takesImages } = context
  if (before?.vendor === vendor && before.takesImages === takesImages && before.answer === answer)
    return before.wireMessages
  const wireMessages = toWireMessages(message, answer, context)
  known.set(message, { vendor, takesImages, answer, wireMessages })
  return wireMessages
}

function toWireMessages(
  message: Message,
  answer: ToolMessage | undefined,
  context: Context,
): LanguageModelV4Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: toUserContent(message.content, context.support) }]
    case 'assistant': {
      const hasCalls = message.parts.some(({ type }) => type === 'tool_call')
      const content = withoutLastThoughts(
        message.parts.flatMap((part) => toAssistantPart(part, context, hasCalls)),
      )
      const answers = toToolMessages(message, answer, context)
      return content.length > 0 ? [{ role: 'assistant', content }, ...answers] : answers
    }
    case 'tool':
      // Written together with the calls they answer.
      return []
  }
}

interface Context {
  readonly vendor: Vendor
  readonly takesImages: boolean
  readonly support: FileFormats
}

type AssistantContent =
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart

function toAssistantPart(part: AssistantPart, { vendor }: Context, isStep: boolean): AssistantContent[] {
  const options = toProviderOptions(vendor, part.vendor)
  switch (part.type) {
    case 'text':
      // Empty text is rejected, unless it carries a signature (Gemini).
      return part.text.trim() === '' && !options.providerOptions
        ? []
        : [{ type: 'text', text: wellFormed(part.text), ...options }]
    case 'thought':
      return isWanted(part, vendor, isStep)
        ? [{ type: 'reasoning', text: wellFormed(part.text), ...options }]
        : []
    case 'hosted':
      return toHostedPart(part.vendor[vendor] as LanguageModelV4StreamPart | undefined, vendor)
    case 'tool_call': {
      const input = toToolCallInput(part.input)
      return [
        {
          type: 'tool-call',
          toolCallId: toWireId(part.id, vendor),
          toolName: part.wireName,
          input,
          ...options,
        },
      ]
    }
  }
}

/** As the vendor streamed it. */
function toHostedPart(part: LanguageModelV4StreamPart | undefined, vendor: Vendor): AssistantContent[] {
  if (part?.type !== 'tool-call' && part?.type !== 'tool-result') return []
  const { toolCallId, toolName, providerMetadata } = part
  const common = { toolCallId, toolName, ...toProviderOptions(vendor, providerMetadata) }
  return part.type === 'tool-call'
    ? [{ type: 'tool-call', ...common, input: toToolCallInput(part.input), providerExecuted: true }]
    : [{ type: 'tool-result', ...common, output: { type: 'json', value: part.result } }]
}

/** A trailing thought, left by an answer that was cut off, is rejected. */
function withoutLastThoughts(content: AssistantContent[]): AssistantContent[] {
  return content.slice(0, content.findLastIndex((part) => part.type !== 'reasoning') + 1)
}

/** A thought is sent back only to the vendor that signed it. */
function isWanted(thought: ThoughtPart, vendor: Vendor, isStep: boolean): boolean {
  const own = ownMetadata(vendor, thought.vendor)
  switch (vendor) {
    case 'anthropic':
      return own?.['signature'] != null || own?.['redactedData'] != null
    case 'openai':
      return own?.['reasoningEncryptedContent'] != null
    case 'google':
      return own?.['thoughtSignature'] != null
    case 'openai-compatible':
      // Unsigned thoughts. DeepSeek, Qwen and Kimi expect them with calls; no server needs them with a last answer. The choice depends on
      // nothing that comes later, so that the beginning of a prompt stays the same.
      return isStep && thought.vendor === undefined && thought.text !== ''
    case 'offline':
      return false
  }
}

/** Returns exactly one result per call, in the order of the calls. A turn that was cut off may lack some results. */
function toToolMessages(
  message: AssistantMessage,
  answer: ToolMessage | undefined,
  { vendor, support }: Context,
): LanguageModelV4Message[] {
  const calls = message.parts.filter((part) => part.type === 'tool_call')
  if (calls.length === 0) return []
  const shownAfter: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] = []
  const results = calls.map((call) => {
    const outcome = answer?.results.find((result) => result.id === call.id)
    const { output, shownAfter: files } = outcome
      ? toToolOutput(outcome.result, support)
      : {
          output: { type: 'error-text' as const, value: 'The call was interrupted. It may have run.' },
          shownAfter: [],
        }
    if (files.length > 0) shownAfter.push({ type: 'text', text: `From ${call.wireName}:` }, ...files)
    return {
      type: 'tool-result' as const,
      toolCallId: toWireId(call.id, vendor),
      toolName: call.wireName,
      output,
    }
  })
  return [
    { role: 'tool', content: results },
    ...(shownAfter.length > 0 ? [{ role: 'user' as const, content: shownAfter }] : []),
  ]
}

/** Chat servers limit ids differently: OpenAI allows 40 characters, Mistral exactly nine letters or digits. The narrowest form fits all. */
function toWireId(id: ToolCallId, vendor: Vendor): string {
  if (vendor !== 'openai-compatible') return id.replace(/[^A-Za-z0-9_-]/g, '_')
  return BigInt(`0x${hashText(id)}`)
    .toString(36)
    .slice(0, 9)
}

/** Merges consecutive user messages, because many chat templates require alternating roles. Changes no message that is kept. */
function append(prompt: LanguageModelV4Prompt, message: LanguageModelV4Message): void {
  const last = prompt.at(-1)
  if (message.role !== 'user') prompt.push(message)
  else if (last?.role === 'user') for (const part of message.content) last.content.push(part)
  else prompt.push({ ...message, content: [...message.content] })
}

/**
 * Marks the parts that later requests repeat: the tools and system prompt, everything up to the last message, and the end of the request
 * before this one. The vendor looks for an earlier mark only 20 blocks back, and a step with many calls has more.
 */
function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const lastAnswer = prompt.findLastIndex(({ role }) => role === 'assistant')
  const endBefore = prompt.findLastIndex(
    ({ role }, index) => index < lastAnswer && (role === 'user' || role === 'tool'),
  )
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1 || index === endBefore
      ? {
          ...message,
          providerOptions: { ...message.providerOptions, anthropic: { cacheControl: { type: 'ephemeral' } } },
        }
      : message,
  )
}

/**
 * Converts the arguments of a past call to an object, as vendors require. Invalid JSON is sent back as text, so that the model sees its
 * mistake.
 */
function toToolCallInput(input: string): Readonly<Record<string, unknown>> {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input, (_key, inner: unknown) =>
      typeof inner === 'string' ? inner.toWellFormed() : inner,
    )
    if (isRecord(value)) return value
  } catch {
    // Not JSON: fall through.
  }
  return { invalid_arguments: input.toWellFormed() }
}

/** The key under which each vendor's package provides metadata and expects it back. */
const keys: Readonly<Record<Vendor, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'compatible',
  offline: 'offline',
}

/** A vendor only sees its own metadata, because it cannot use another vendor's signatures. */
function ownMetadata(vendor: Vendor, metadata: VendorMetadata | undefined): JSONObject | undefined {
  const own = metadata?.[keys[vendor]]
  return typeof own === 'object' && own !== null ? (own as JSONObject) : undefined
}

function toProviderOptions(
  vendor: Vendor,
  metadata: VendorMetadata | undefined,
): { providerOptions?: SharedV4ProviderOptions } {
  const own = ownMetadata(vendor, metadata)
  return own ? { providerOptions: { [keys[vendor]]: own } } : {}
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

/** Never empty: vendors reject a message without content or with empty text. */
function toUserContent(blocks: readonly ContentBlock[], support: FileFormats): UserPart[] {
  const parts = blocks.map((block): UserPart => {
    const readable = toReadable(block)
    if ('text' in readable) return { type: 'text', text: readable.text }
    return (
      toFilePart(readable.media, support.user, support.base64LengthMax) ?? {
        type: 'text',
        text: describeMedia(readable.media, 'this model cannot read it'),
      }
    )
  })
  const nonEmpty = parts.filter((part) => part.type === 'file' || part.text.trim() !== '')
  return nonEmpty.length > 0 ? nonEmpty : [{ type: 'text', text: '(an empty message)' }]
}
