import { builtInProviders } from './built-in-providers.ts'
import type { ModelCatalog } from './catalog/model-catalog.ts'
import { findProvider, isReady } from './find-provider.ts'
import type { ModelChoice, ModelSettings } from './model.ts'
import { menuModelsMax, toMenu } from './model-menu.ts'
import { offlineModelId } from './model-id.ts'

/** The lists that are known so far. */
export type KnownLists = Pick<ModelCatalog, 'listOf'>

const noLists: KnownLists = { listOf: () => undefined }

/**
 * Chooses a model: the requested one, `OSTLER_MODEL`, the first vendor with a key, or the offline model. The command passes `--model`, or
 * the agent file's model, in which `OSTLER_MODEL` has already replaced the file's value. A requested model that does not work is not
 * replaced: `openModel` reports the reason.
 */
export function chooseModel(
  requested: string | undefined,
  settings: ModelSettings,
  lists: KnownLists = noLists,
): string {
  const asked = requested?.trim() || settings.env['OSTLER_MODEL']?.trim()
  return asked || (modelsByProvider(settings, lists).flat()[0]?.id ?? offlineModelId)
}

/** The menu: some models of each provider that can be opened with the current settings. Never empty. */
export function availableModels(settings: ModelSettings, lists: KnownLists = noLists): ModelChoice[] {
  return [
    ...modelsByProvider(settings, lists).flatMap((models) => models.slice(0, menuModelsMax)),
    {
      id: offlineModelId,
      name: 'Offline',
      description: 'Built in, needs no key. Does not understand language, but finds and runs tools',
    },
  ]
}

/** All models that are known, also those that are not in the menu. */
export function allModels(settings: ModelSettings, lists: KnownLists = noLists): ModelChoice[] {
  return [...modelsByProvider(settings, lists).flat(), ...availableModels(settings, lists).slice(-1)]
}

/** A local server that is not configured counts if it has answered with a list. */
function modelsByProvider(settings: ModelSettings, lists: KnownLists): ModelChoice[][] {
  const names = new Set([...Object.keys(builtInProviders), ...Object.keys(settings.providers)])
  return [...names]
    .filter((name) => isReady(name, settings) || lists.listOf(name) !== undefined)
    .map((name) => toMenu(findProvider(name, settings), lists.listOf(name)))
}
