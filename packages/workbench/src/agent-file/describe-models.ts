import {
  silentLogger,
  createModelCatalog,
  type ModelChoice,
  type ModelSettings,
  type ThoughtLevel,
  createModels,
} from '@ostler/agent-api/internal'
import { describeProviders, type DescribedProvider } from './describe-providers.ts'

/** The models that are known without asking a vendor. */
export interface DescribedModels {
  /** The menu of an agent with these settings: the lists that agents have stored, or the recommended models. The default is first. */
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
