import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { offlineModelId } from '../model-id.ts'
import { answer, type OfflineAnswer } from './answer.ts'
import { toOfflineTool } from './offline-tool.ts'

/** Effectively unlimited: this model can read any conversation. */
export const offlineContextSize = 1_000_000

const charactersPerToken = 4
/** Text is streamed in pieces of about this many characters, like a vendor's. */
const deltaLength = 24

/**
 * A model that needs no key and no network. It does not understand language: it finds the tool whose words match, reads arguments from the
 * text, and reports the result. It is deterministic and stateless.
 */
export function createOfflineModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: offlineModelId,
    modelId: offlineModelId,
    supportedUrls: {},
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      const parts = toParts(await answerTo(options), options.prompt)
      return { stream: ReadableStream.from(parts) }
    },
    doGenerate: () => Promise.reject(new Error('The offline model only streams.')),
  }
}

/** An answer contains at most one call, so one id is enough. */
const callId = 'call_1'

function answerTo({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): Promise<OfflineAnswer> {
  const offered = toolChoice?.type === 'none' ? [] : (tools ?? [])
  return answer(prompt, offered.filter((tool) => tool.type === 'function').map(toOfflineTool))
}

function* toParts(given: OfflineAnswer, prompt: LanguageModelV4Prompt): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (given.type === 'text') {
    yield { type: 'text-start', id: '0' }
    for (const delta of deltasOf(given.text)) yield { type: 'text-delta', id: '0', delta }
    yield { type: 'text-end', id: '0' }
  } else {
    const input = JSON.stringify(given.input)
    yield { type: 'tool-input-start', id: callId, toolName: given.toolName }
    yield { type: 'tool-input-delta', id: callId, delta: input }
    yield { type: 'tool-input-end', id: callId }
    yield { type: 'tool-call', toolCallId: callId, toolName: given.toolName, input }
  }
  yield { type: 'finish', finishReason: finishReasonOf(given), usage: usageOf(given, prompt) }
}

/** Splits at spaces, never within a character. */
function deltasOf(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${deltaLength}}(?:\\s+|$)|\\S+\\s*`, 'gu')) ?? []
}

function finishReasonOf(given: OfflineAnswer): { unified: 'stop' | 'tool-calls'; raw: undefined } {
  return { unified: given.type === 'text' ? 'stop' : 'tool-calls', raw: undefined }
}

function usageOf(given: OfflineAnswer, prompt: LanguageModelV4Prompt): LanguageModelV4Usage {
  const output = tokensIn(given.type === 'text' ? given.text : JSON.stringify(given.input))
  return {
    inputTokens: {
      total: tokensIn(JSON.stringify(prompt)),
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}
