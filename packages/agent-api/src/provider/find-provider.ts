import { OstlerError } from '../base/errors.ts'
import { toBaseUrl } from './base-url.ts'
import { builtInProviders, type BuiltInProvider } from './built-in-providers.ts'
import type { ModelSettings, ProviderConfig, Vendor } from './model.ts'
import { offlineModelId, parseModelId, type ModelId } from './model-id.ts'

/** The address and credentials of a provider: everything needed to open its models. */
export interface ProviderAccess {
  readonly name: string
  readonly type: ProviderConfig['type']
  readonly vendorName: string
  /** Empty if `open` opens its models. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Sent as a bearer token. Only Anthropic distinguishes it from a key. */
  readonly authToken?: string
  /** The variable or setting for the key, for error messages. Undefined if it needs none. */
  readonly keySource?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly open?: NonNullable<ProviderConfig['open']>
}

/** The built-in providers, and those of the agent file. */
export function providerNames({ providers }: ModelSettings): readonly string[] {
  return [...new Set([...Object.keys(builtInProviders), ...Object.keys(providers)])]
}

/** Throws `model.unknown` for an unknown provider, and `model.no_key` if its key is missing. */
export function findProvider(name: string, settings: ModelSettings): ProviderAccess {
  const config = Object.hasOwn(settings.providers, name) ? settings.providers[name] : undefined
  const builtIn = Object.hasOwn(builtInProviders, name) ? builtInProviders[name] : undefined
  const type = config?.type ?? builtIn?.type
  if (type === undefined) throw unknownProvider(name, settings)
  if (config?.open !== undefined) return { name, type, vendorName: name, baseUrl: '', open: config.open }
  const isBuiltIn = builtIn?.type === type
  const search = {
    name,
    type,
    config,
    env: settings.env,
    isBuiltIn,
    vendor: isBuiltIn ? builtIn : speakerOf(type),
  }
  return {
    name,
    type,
    vendorName: isBuiltIn ? builtIn.vendorName : name,
    ...findBaseUrl(search),
    ...findKey(search),
    ...(config?.headers && { headers: config.headers }),
  }
}

/**
 * Chooses the API for an OpenAI provider. OpenAI's own models need the responses API, because only there does their reasoning survive a
 * tool call. Almost every other server with an OpenAI API supports only chat completions. So the address decides, and
 * `OSTLER_OPENAI_API=responses` (or `chat`) overrides it for exceptional proxies.
 */
export function vendorOf(
  access: Pick<ProviderAccess, 'type' | 'baseUrl' | 'open'>,
  settings: ModelSettings,
): Exclude<Vendor, 'offline'> {
  if (access.type !== 'openai' || access.open !== undefined) return access.type
  const wish = settings.env['OSTLER_OPENAI_API']
  if (wish === 'responses') return 'openai'
  if (wish === 'chat') return 'openai-compatible'
  return /(?:^|\.)api\.openai\.com$/.test(new URL(access.baseUrl).hostname) ? 'openai' : 'openai-compatible'
}

/** True if the provider can be used now. False for a local server, which may not be running. */
export function isReady(name: string, settings: ModelSettings): boolean {
  if (!Object.hasOwn(settings.providers, name) && builtInProviders[name]?.isLocal) return false
  return tryFindProvider(name, settings) !== undefined
}

/** Undefined for a provider without a key or an address. */
export function tryFindProvider(name: string, settings: ModelSettings): ProviderAccess | undefined {
  try {
    return findProvider(name, settings)
  } catch {
    return undefined
  }
}

interface Search {
  readonly name: string
  readonly type: ProviderConfig['type']
  readonly config: ProviderConfig | undefined
  readonly env: ModelSettings['env']
  readonly isBuiltIn: boolean
  /**
   * The vendor that speaks this protocol, also for a configured provider with another name. Supplies the default address and the key
   * variable.
   */
  readonly vendor: BuiltInProvider | undefined
}

function speakerOf(type: ProviderConfig['type']): BuiltInProvider | undefined {
  return type === 'openai-compatible' ? undefined : builtInProviders[type]
}

function findBaseUrl({ name, type, config, env, vendor }: Search): Pick<ProviderAccess, 'baseUrl'> {
  if (config?.baseUrl) return { baseUrl: toBaseUrl(config.baseUrl, type, `providers.${name}.baseUrl`) }
  const found = firstSet(vendor?.baseUrlVariables, env)
  if (found) return { baseUrl: toBaseUrl(found.value, type, found.variable) }
  if (vendor) return { baseUrl: vendor.baseUrl }
  throw new OstlerError(
    'model.no_base_url',
    `Provider "${name}" has no address. Set providers.${name}.baseUrl in the agent file.`,
  )
}

function findKey({
  name,
  type,
  config,
  env,
  isBuiltIn,
  vendor,
}: Search): Pick<ProviderAccess, 'apiKey' | 'authToken' | 'keySource'> {
  const setting = `providers.${name}.apiKey`
  if (config?.apiKey) return { apiKey: config.apiKey, keySource: setting }
  // Do not send the vendor's key to another address that merely speaks its protocol.
  const isForVendor = isBuiltIn || config?.baseUrl === undefined
  if (vendor && isForVendor) {
    const key = firstSet(vendor.keyVariables, env)
    if (key) return { apiKey: key.value, keySource: key.variable }
    const token = firstSet(vendor.tokenVariables, env)
    if (token) return { authToken: token.value, keySource: token.variable }
  }
  const keySource = vendor && isForVendor ? vendor.keyVariables.join(' or ') : setting
  const isOpenServer =
    vendor?.isLocal || (config?.baseUrl !== undefined && (type === 'openai' || type === 'openai-compatible'))
  if (isOpenServer || hasOwnAuthorization(config)) return { keySource }
  throw new OstlerError(
    'model.no_key',
    `${isBuiltIn ? vendor?.vendorName : `Provider "${name}"`} needs an API key: set ${keySource}.`,
    {
      data: { provider: name },
    },
  )
}

function firstSet(
  variables: readonly string[] | undefined,
  env: ModelSettings['env'],
): { variable: string; value: string } | undefined {
  for (const variable of variables ?? []) {
    const value = env[variable]?.trim()
    if (value) return { variable, value }
  }
  return undefined
}

function hasOwnAuthorization(config: ProviderConfig | undefined): boolean {
  return Object.keys(config?.headers ?? {}).some((header) =>
    /^(?:authorization|x-api-key|x-goog-api-key)$/i.test(header),
  )
}

function unknownProvider(name: string, settings: ModelSettings): OstlerError {
  const known = [...providerNames(settings), offlineModelId]
  return new OstlerError(
    'model.unknown',
    `There is no provider "${name}". Known providers: ${known.join(', ')}. Add others under "providers" in the agent file.`,
    { data: { provider: name } },
  )
}

/** Throws `model.unknown` or `model.no_key` for a model that cannot be opened. Loads no package and makes no request. */
export function checkModel(id: string, settings: ModelSettings): void {
  const { provider } = readModelId(id)
  if (provider !== offlineModelId) findProvider(provider, settings)
}

export function readModelId(id: string): ModelId {
  const parsed = parseModelId(id)
  if (parsed !== undefined) return parsed
  throw new OstlerError(
    'model.unknown',
    `"${id}" is not a model: write provider/model, as in anthropic/claude-sonnet-5-5, or "offline".`,
  )
}
