import {
  builtInProviders,
  findProvider,
  type ProviderAccess,
  type ModelSettings,
} from '@ostler/agent-api/internal'

/** A vendor as a person knows it. Contains no key. */
export interface DescribedProvider extends Pick<ProviderAccess, 'name' | 'vendorName' | 'keySource'> {
  /** Undefined if the provider cannot be used, for the reason. */
  readonly baseUrl?: string
  readonly reason?: string
  readonly hasKey: boolean
  /** A local server, which needs no key and may not be running. */
  readonly isLocal: boolean
}

/** All vendors that models can come from: the built-in ones, and those of the agent file. */
export function describeProviders(settings: ModelSettings): readonly DescribedProvider[] {
  const names = new Set([...Object.keys(builtInProviders), ...Object.keys(settings.providers)])
  return [...names].map((name) => {
    const isLocal = builtInProviders[name]?.isLocal === true
    const known = builtInProviders[name]?.vendorName ?? name
    try {
      const { vendorName, baseUrl, apiKey, authToken, keySource } = findProvider(name, settings)
      return { name, vendorName, baseUrl, keySource, hasKey: (apiKey ?? authToken) !== undefined, isLocal }
    } catch (error) {
      return {
        name,
        vendorName: known,
        reason: error instanceof Error ? error.message : String(error),
        hasKey: false,
        isLocal,
      }
    }
  })
}
