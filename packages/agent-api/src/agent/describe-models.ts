import { silentLogger } from '../base/logger.ts'
import { createModelCatalog } from '../provider/catalog/model-catalog.ts'
import { describeProviders, type DescribedProvider } from '../provider/describe-providers.ts'
import type { ModelChoice, ModelSettings } from '../provider/model.ts'
import type { ThoughtLevel } from '../provider/thought-level.ts'
import { createAgentModels } from './agent-models.ts'

/** What is known about models without asking a vendor. */
export interface DescribedModels {
  /** The menu of an agent with these settings: the lists that agents have stored, or the recommended models. The default is first. */
  readonly models: readonly (ModelChoice & { readonly thoughtLevels: readonly ThoughtLevel[] })[]
  readonly providers: readonly Omit<DescribedProvider, 'baseUrl'>[]
}

export function describeModels(settings: ModelSettings, stateDir: string): DescribedModels {
  using catalog = createModelCatalog({ settings, stateDir, logger: silentLogger })
  const agent = createAgentModels({ configured: undefined, settings, catalog, redact: (text) => text })
  return {
    models: agent.list().map((model) => ({ ...model, thoughtLevels: agent.thoughtLevels(model.id) })),
    providers: describeProviders(settings).map(({ baseUrl: _address, ...provider }) => provider),
  }
}
