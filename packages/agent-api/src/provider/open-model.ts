import type { LanguageModelV4 } from '@ai-sdk/provider'
import { readModelId } from './check-model.ts'
import { contextSizeOf } from './context-size.ts'
import { findProvider, type ProviderAccess } from './find-provider.ts'
import { createModelFetch } from './model-fetch.ts'
import type { Model, ModelSettings, Vendor } from './model.ts'
import { offlineModelId } from './model-id.ts'

/** Ready to be asked, not yet asked: a wrong key shows in the first answer. Imports the one package that speaks to that vendor. */
export async function openModel(id: string, settings: ModelSettings): Promise<Model> {
  const parsed = readModelId(id)
  if (parsed.provider === offlineModelId) {
    const { createOfflineModel, offlineContextSize } = await import('./offline/offline-model.ts')
    return { id, vendor: 'offline', vendorName: 'Ostler', contextSize: offlineContextSize, languageModel: createOfflineModel() }
  }
  const access = findProvider(parsed.provider, settings)
  const vendor = wireOf(access, settings)
  return {
    id,
    vendor,
    vendorName: access.vendorName,
    keySource: access.keySource,
    contextSize: contextSizeOf(parsed.model),
    languageModel: await openers[vendor](parsed.model, access),
  }
}

/**
 * OpenAI's own models want the responses API: their reasoning survives a tool call only there. Almost everything else that calls itself
 * OpenAI, and an overridden base URL nearly always leads to such a server, speaks chat completions and nothing more. So the address
 * decides; `OSTLER_OPENAI_API=responses` (or `chat`) is for the proxies that differ.
 */
function wireOf(access: ProviderAccess, settings: ModelSettings): Exclude<Vendor, 'offline'> {
  if (access.type !== 'openai') return access.type
  const wish = settings.env['OSTLER_OPENAI_API']
  if (wish === 'responses') return 'openai'
  if (wish === 'chat') return 'openai-compatible'
  return /(?:^|\.)api\.openai\.com$/.test(new URL(access.baseUrl).hostname) ? 'openai' : 'openai-compatible'
}

/** What each package is told in the same words. */
function connectionOf({ baseUrl, headers, vendorName }: ProviderAccess) {
  return { baseURL: baseUrl, headers: { ...headers }, fetch: createModelFetch(vendorName) }
}

type Opener = (model: string, access: ProviderAccess) => Promise<LanguageModelV4>

/** Keys and addresses are always passed, even as nothing: given less, the packages read the process's environment on their own. */
const openers: Readonly<Record<Exclude<Vendor, 'offline'>, Opener>> = {
  async anthropic(model, access) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const key = access.authToken === undefined ? { apiKey: access.apiKey ?? '' } : { authToken: access.authToken }
    return createAnthropic({ ...key, ...connectionOf(access) })(model)
  },
  async openai(model, access) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey: access.apiKey ?? '', ...connectionOf(access) }).responses(model)
  },
  async google(model, access) {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ apiKey: access.apiKey ?? '', ...connectionOf(access) })(model)
  },
  async 'openai-compatible'(model, access) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const provider = createOpenAICompatible({
      // The package spreads what it finds under its own name (`openaiCompatible`) into the request: metadata must not be kept there.
      name: 'compatible',
      ...connectionOf(access),
      ...(access.apiKey !== undefined && { apiKey: access.apiKey }),
      includeUsage: true,
    })
    return provider.chatModel(model)
  },
}
