import { isRecord } from '../../base/is-record.ts'
import { parseListedModels, type ListedFields, type ListedModel } from './listed-model.ts'

/** The lists of models in each vendor's format. Pure. */

export function parseAnthropicList(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'data'), (model) => ({
    id: model['id'],
    name: model['display_name'],
    contextSize: model['max_input_tokens'],
    outputTokensMax: model['max_tokens'],
    takesImages: at(model, 'capabilities', 'image_input', 'supported'),
    thinks: at(model, 'capabilities', 'thinking', 'supported'),
    createdAt: toSeconds(model['created_at']),
  }))
}

const notForChatOfGoogle =
  /embedding|image|tts|live|audio|aqa|veo|imagen|computer-use|robotics|banana|deep-research|^gemma/

export function parseGoogleList(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'models'), (model) => {
    const id = typeof model['name'] === 'string' ? model['name'].replace(/^models\//, '') : undefined
    const methods = model['supportedGenerationMethods']
    return {
      id,
      name: model['displayName'],
      contextSize: model['inputTokenLimit'],
      outputTokensMax: model['outputTokenLimit'],
      thinks: model['thinking'],
      isForChat:
        (!Array.isArray(methods) || methods.includes('generateContent')) &&
        !notForChatOfGoogle.test(id ?? ''),
    }
  })
}

const chatOfOpenAi = /^(?:gpt-|o\d|chatgpt-|codex)/
const notForChat =
  /embed|rerank|moderation|whisper|transcri|tts|dall-e|realtime|audio|image|search-preview|instruct$|sora|deep-research|diffusion/i

/** OpenAI's list contains only names. */
export function parseOpenAiList(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'data'), (model) => ({
    id: model['id'],
    isForChat: chatOfOpenAi.test(String(model['id'])) && !notForChat.test(String(model['id'])),
    createdAt: model['created'],
  }))
}

/** Servers with OpenAI's API add facts under their own field names: OpenRouter, vLLM, llama.cpp, Groq and others. */
export function parseCompatibleList(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'data'), (model) => {
    const parameters = model['supported_parameters']
    const has = (name: string) => (Array.isArray(parameters) ? parameters.includes(name) : undefined)
    const inputs = at(model, 'architecture', 'input_modalities')
    const outputs = at(model, 'architecture', 'output_modalities')
    const writesText = !Array.isArray(outputs) || outputs.includes('text')
    return {
      id: model['id'],
      name: model['name'],
      contextSize:
        at(model, 'top_provider', 'context_length') ??
        model['context_length'] ??
        model['max_model_len'] ??
        model['context_window'] ??
        at(model, 'meta', 'n_ctx') ??
        at(model, 'meta', 'n_ctx_train'),
      outputTokensMax: at(model, 'top_provider', 'max_completion_tokens') ?? model['max_completion_tokens'],
      prices: toPrices(model['pricing']),
      takesImages: Array.isArray(inputs) ? inputs.includes('image') : undefined,
      thinks: has('reasoning'),
      isForChat: writesText && has('tools') !== false && !notForChat.test(String(model['id'])),
      createdAt: model['created'],
    }
  })
}

/** The window of the model that a llama.cpp server has loaded. */
export function parseLlamaCppProps(body: unknown): ListedFields {
  return {
    contextSize: at(body, 'default_generation_settings', 'n_ctx'),
    takesImages: at(body, 'modalities', 'vision'),
  }
}

export function parseLmStudioList(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'data'), (model) => {
    const abilities = model['capabilities']
    return {
      id: model['id'],
      // The window that was chosen when the model was loaded.
      contextSize: model['loaded_context_length'] ?? model['max_context_length'],
      takesImages: model['type'] === 'vlm',
      isForChat:
        model['type'] !== 'embeddings' && (!Array.isArray(abilities) || abilities.includes('tool_use')),
    }
  })
}

export function parseOllamaTags(body: unknown): ListedModel[] {
  return parseListedModels(at(body, 'models'), (model) => ({
    id: typeof model['name'] === 'string' ? model['name'].replace(/:latest$/, '') : undefined,
    createdAt: toSeconds(model['modified_at']),
  }))
}

/** The windows of the models that an Ollama server has loaded, by name. */
export function parseOllamaLoaded(body: unknown): ReadonlyMap<string, number> {
  const loaded = parseListedModels(at(body, 'models'), (model) => ({
    id: typeof model['name'] === 'string' ? model['name'].replace(/:latest$/, '') : undefined,
    contextSize: model['context_length'],
  }))
  return new Map(
    loaded.flatMap(({ id, contextSize }) => (contextSize === undefined ? [] : [[id, contextSize]])),
  )
}

/** An Ollama server's facts about a model. If the model sets `num_ctx`, it runs with that window. */
export function parseOllamaShow(body: unknown): ListedFields {
  const parameters = at(body, 'parameters')
  const [, numCtx] = /^num_ctx\s+(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? []
  const info = at(body, 'model_info')
  const [, contextLength] =
    (isRecord(info) && Object.entries(info).find(([key]) => key.endsWith('.context_length'))) || []
  const abilities = at(body, 'capabilities')
  const has = (ability: string) => (Array.isArray(abilities) ? abilities.includes(ability) : undefined)
  return {
    contextSize: numCtx === undefined ? contextLength : Number(numCtx),
    takesImages: has('vision'),
    thinks: has('thinking'),
    isForChat: has('completion') && has('tools'),
  }
}

/** OpenRouter lists the price of one token in dollars, as text. A negative price means that it varies. */
function toPrices(pricing: unknown) {
  const perMillion = (name: string) => {
    const price = Number.parseFloat(String(at(pricing, name)))
    return Number.isNaN(price) ? undefined : Math.round(price * 1e12) / 1e6
  }
  return {
    currency: 'USD',
    input: perMillion('prompt'),
    output: perMillion('completion'),
    cacheRead: perMillion('input_cache_read'),
    cacheWrite: perMillion('input_cache_write'),
  }
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value) ?? undefined
}

function toSeconds(date: unknown): number | undefined {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.floor(time / 1_000)
}
