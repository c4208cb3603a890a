import { messageOf, OstlerError } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { parsedValuesMax } from '../../base/value-counter.ts'
import { processBudget } from '../../http/byte-budget.ts'
import { limitResponse } from '../../http/limit-response.ts'
import { redirectReason } from '../../http/redirect-reason.ts'
import { vendorOf, type ProviderAccess } from '../find-provider.ts'
import type { ModelSettings } from '../model.ts'
import { listedModelsMax, parseListedModel, type ListedFields, type ListedModel } from './listed-model.ts'
import {
  parseAnthropicList,
  parseCompatibleList,
  parseGoogleList,
  parseLlamaCppProps,
  parseLmStudioList,
  parseOllamaLoaded,
  parseOllamaShow,
  parseOllamaTags,
  parseOpenAiList,
} from './parse-model-list.ts'

/** OpenRouter's list has about 2 MB. */
const listBytesMax = 8 * 1024 * 1024
const pagesMax = 5
/** A local server is asked about each model. */
const shownModelsMax = 64

/** Asks a vendor for its models. Throws if the vendor does not answer with a list. */
export async function fetchModelList(
  access: ProviderAccess,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const ask = (url: string, body?: object) => request(access, url, signal, body)
  const origin = access.baseUrl.replace(/\/v\d+\/?$/, '')
  switch (access.name) {
    case 'ollama':
      return listOllama(origin, ask)
    case 'lmstudio':
      return parseLmStudioList(await ask(`${origin}/api/v0/models`))
    case 'llamacpp':
      return listLlamaCpp(origin, access.baseUrl, ask)
  }
  switch (vendorOf(access, settings)) {
    case 'anthropic':
      return parseAnthropicList(await ask(`${access.baseUrl}/models?limit=1000`))
    case 'google':
      return listGoogle(access.baseUrl, ask)
    case 'openai':
      return parseOpenAiList(await ask(`${access.baseUrl}/models`))
    default:
      return parseCompatibleList(await ask(`${access.baseUrl}/models`))
  }
}

type Ask = (url: string, body?: object) => Promise<unknown>

async function listGoogle(baseUrl: string, ask: Ask): Promise<ListedModel[]> {
  const models: ListedModel[] = []
  let token = ''
  for (let page = 0; page < pagesMax && models.length < listedModelsMax; page++) {
    const body = await ask(
      `${baseUrl}/models?pageSize=1000${token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`}`,
    )
    models.push(...parseGoogleList(body))
    const next = isRecord(body) ? body['nextPageToken'] : undefined
    if (typeof next !== 'string' || next === '') break
    token = next
  }
  return models.slice(0, listedModelsMax)
}

/** A loaded model runs with the window that it was loaded with. Otherwise, the model's own window counts. */
async function listOllama(origin: string, ask: Ask): Promise<ListedModel[]> {
  const models = parseOllamaTags(await ask(`${origin}/api/tags`))
  const loaded = parseOllamaLoaded(await ask(`${origin}/api/ps`).catch(() => undefined))
  const shown: ListedModel[] = []
  for (const [index, model] of models.entries()) {
    const facts =
      index < shownModelsMax
        ? parseOllamaShow(await ask(`${origin}/api/show`, { model: model.id }).catch(() => undefined))
        : {}
    shown.push(merge(model, { ...facts, contextSize: loaded.get(model.id) ?? facts.contextSize }))
  }
  return shown
}

/** A llama.cpp server usually has one model, and reports its window at another endpoint. */
async function listLlamaCpp(origin: string, baseUrl: string, ask: Ask): Promise<ListedModel[]> {
  const models = parseCompatibleList(await ask(`${baseUrl}/models`))
  if (models.length !== 1) return models
  const props = parseLlamaCppProps(await ask(`${origin}/props`).catch(() => undefined))
  return models.map((model) => merge(model, props))
}

function merge(model: ListedModel, facts: ListedFields): ListedModel {
  const told = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  return parseListedModel({ ...model, ...told }) ?? model
}

async function request(
  access: ProviderAccess,
  url: string,
  signal: AbortSignal,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url, {
    headers: {
      ...keyHeaders(access),
      ...access.headers,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  })
  const limited = limitResponse(response, {
    eventBytesMax: listBytesMax,
    eventValuesMax: parsedValuesMax,
    budget: processBudget,
    tooLarge: (limit) => failed(access, limit),
  })
  if (!limited.ok) {
    await limited.body?.cancel()
    throw failed(access, redirectReason(url, limited) ?? `it answered ${limited.status}`)
  }
  const text = await limited.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw failed(access, `its answer is not JSON: ${messageOf(error)}`)
  }
}

function keyHeaders({ type, apiKey, authToken }: ProviderAccess): Record<string, string> {
  const bearer = authToken ?? apiKey
  switch (type) {
    case 'anthropic':
      return {
        'anthropic-version': '2023-06-01',
        ...(authToken !== undefined
          ? { authorization: `Bearer ${authToken}` }
          : apiKey !== undefined && { 'x-api-key': apiKey }),
      }
    case 'google':
      return apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }
    case 'openai':
    case 'openai-compatible':
      return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  }
}

function failed({ vendorName }: ProviderAccess, reason: string): OstlerError {
  return new OstlerError('model.no_list', `The list of models of ${vendorName} could not be read: ${reason}.`)
}
