import type { LanguageModelV4 } from '@ai-sdk/provider'
import { readModelId, findProvider, vendorOf, type ProviderAccess } from './find-provider.ts'
import type { ListedModel } from './catalog/listed-model.ts'
import { contextSizeOf } from './context-size.ts'
import { createModelFetch } from './answer-limits.ts'
import type { Model, ModelSettings, Vendor } from './model.ts'
import { offlineModelId, type ModelId } from './model-id.ts'
import { deferralOf } from './deferral.ts'
import { toolsMaxOf } from './tool-limit.ts'
import { thoughtLevelsOf } from './thought-level.ts'
import { defined } from '../base/is-record.ts'

/**
 * Opens a model without contacting the vendor: a wrong key shows in the first answer. Imports only the package for that vendor. `listed` is
 * what the vendor reports about the model.
 */
export async function openModel(
  id: string,
  settings: ModelSettings,
  { listed, redact }: Pick<Model, 'redact'> & { readonly listed?: ListedModel | undefined },
): Promise<Model> {
  const parsed = readModelId(id)
  if (parsed.provider === offlineModelId) {
    const { createOfflineModel, offlineContextSize } = await import('./offline/offline-model.ts')
    return {
      id,
      vendor: 'offline',
      vendorName: 'Ostler',
      contextSize: offlineContextSize,
      toolsMax: Infinity,
      deferral: 'list',
      thoughtLevels: [],
      languageModel: createOfflineModel(),
      redact,
    }
  }
  const access = findProvider(parsed.provider, settings)
  const vendor = vendorOf(access, settings)
  const own = settingsOf(parsed, settings)
  const prices = own.prices ?? listed?.prices
  const contextSize = own.contextSize ?? listed?.contextSize ?? contextSizeOf(parsed.model)
  return {
    id,
    vendor,
    vendorName: access.vendorName,
    keySource: access.keySource,
    contextSize,
    ...defined({ prices, takesImages: listed?.takesImages, outputTokensMax: listed?.outputTokensMax }),
    toolsMax: toolsMaxOf(vendor, access),
    deferral: deferralOf(vendor, parsed.model, contextSize, access),
    thoughtLevels: thoughtLevelsOf(vendor, parsed.model, listed?.thinks),
    languageModel: access.open?.(parsed.model) ?? (await openers[vendor](parsed.model, access)),
    redact,
  }
}

/** The agent file's settings of a model. A person knows best how much memory a local server has. */
function settingsOf(
  { provider, model }: ModelId,
  { providers }: ModelSettings,
): Partial<Pick<Model, 'contextSize' | 'prices'>> {
  const config = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const single =
    config?.models !== undefined && Object.hasOwn(config.models, model) ? config.models[model] : undefined
  return defined({
    contextSize: single?.contextSize ?? config?.contextSize,
    prices: single?.prices ?? config?.prices,
  })
}

function connectionOf({ baseUrl, headers, vendorName }: ProviderAccess) {
  return { baseURL: baseUrl, headers: { ...headers }, fetch: createModelFetch(vendorName) }
}

type Opener = (model: string, access: ProviderAccess) => Promise<LanguageModelV4>

/** Always pass keys and addresses, even empty ones. Otherwise the packages read the process environment themselves. */
const openers: Readonly<Record<Exclude<Vendor, 'offline'>, Opener>> = {
  async anthropic(model, access) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const key =
      access.authToken === undefined ? { apiKey: access.apiKey ?? '' } : { authToken: access.authToken }
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
      // The package copies settings found under its own name (`openaiCompatible`) into the request, so metadata needs another name.
      name: 'compatible',
      ...connectionOf(access),
      ...(access.apiKey !== undefined && { apiKey: access.apiKey }),
      includeUsage: true,
    })
    return provider.chatModel(model)
  },
}
