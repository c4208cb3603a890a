import {
  silentLogger,
  createModelCatalog,
  type ModelChoice,
  type ModelSettings,
  type ThoughtLevel,
  createModels,
  builtInProviders,
  findProvider,
  providerNames,
  type ProviderAccess,
} from '@ostler/agent-api/internal'

export interface DescribedModels {
  /** The lists that agents have stored, or the recommended models. The default is first. */
  readonly models: readonly (ModelChoice & { readonly thoughtLevels: readonly ThoughtLevel[] })[]
  readonly providers: readonly Omit<DescribedProvider, 'baseUrl'>[]
}

export function describeModels(settings: ModelSettings, stateDir: string): DescribedModels {
  using catalog = createModelCatalog({ settings, stateDir, logger: silentLogger })
  const choice = { configured: undefined, small: undefined, redact: (text: string) => text }
  const agent = createModels({ ...choice, settings, catalog, logger: silentLogger })
  return {
    models: agent.list().map((model) => ({ ...model, thoughtLevels: agent.thoughtLevels(model.id) })),
    providers: describeProviders(settings).map(({ baseUrl: _address, ...provider }) => provider),
  }
}

/** Contains no key. */
export interface DescribedProvider extends Pick<ProviderAccess, 'name' | 'vendorName' | 'keySource'> {
  /** Undefined if the provider cannot be used, for the reason. */
  readonly baseUrl?: string
  readonly reason?: string
  readonly hasKey: boolean
  /** A local server, which needs no key and may not be running. */
  readonly isLocal: boolean
}

export function describeProviders(settings: ModelSettings): readonly DescribedProvider[] {
  return providerNames(settings).map((name) => {
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
