import { builtInProviders } from './built-in-providers.ts'
import { findProvider, isReady } from './find-provider.ts'
import { knownModels } from './known-models.ts'
import type { ModelChoice, ModelSettings } from './model.ts'
import { offlineModelId } from './model-id.ts'

/**
 * Chooses a model: the requested one, `OSTLER_MODEL`, the first vendor with a key, or the offline model. The command passes `--model`, or
 * the agent file's model, in which `OSTLER_MODEL` has already replaced the file's value. A requested model that does not work is not
 * replaced: `openModel` reports the reason.
 */
export function chooseModel(requested: string | undefined, settings: ModelSettings): string {
  const asked = requested?.trim() || settings.env['OSTLER_MODEL']?.trim()
  return asked || (readyModels(settings)[0]?.id ?? offlineModelId)
}

/** Models that can be opened with the current settings. Never empty. */
export function availableModels(settings: ModelSettings): ModelChoice[] {
  return [
    ...readyModels(settings),
    { id: offlineModelId, name: 'Offline', description: 'Built in, needs no key. Understands no language, but finds and runs tools' },
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
