import { builtInProviders } from './built-in-providers.ts'
import { findProvider, isReady } from './find-provider.ts'
import { knownModels } from './known-models.ts'
import type { ModelChoice, ModelSettings } from './model.ts'
import { offlineModelId } from './model-id.ts'

/**
 * The model that is meant: the one asked for, else `OSTLER_MODEL`, else the first vendor with a key, else the one that needs nobody. For
 * the command the one asked for is `--model`, or else what the agent file says, where `OSTLER_MODEL` has taken the file's place already: the
 * flag, then the variable, then the file. What was asked for is not replaced by something that happens to work: `openModel` says why not.
 */
export function chooseModel(requested: string | undefined, settings: ModelSettings): string {
  const asked = requested?.trim() || settings.env['OSTLER_MODEL']?.trim()
  return asked || (readyModels(settings)[0]?.id ?? offlineModelId)
}

/** What can be opened as things stand. Never empty. */
export function availableModels(settings: ModelSettings): ModelChoice[] {
  return [
    ...readyModels(settings),
    { id: offlineModelId, name: 'Offline', description: 'Built in, no key: understands no language, finds and runs tools' },
  ]
}

function readyModels(settings: ModelSettings): ModelChoice[] {
  const names = new Set([...Object.keys(builtInProviders), ...Object.keys(settings.providers)])
  return [...names]
    .filter((name) => isReady(name, settings))
    .flatMap((provider) => {
      const { type, vendorName } = findProvider(provider, settings)
      return knownModels(provider, type).map(({ model, name }) => ({ id: `${provider}/${model}`, name, description: vendorName }))
    })
}
