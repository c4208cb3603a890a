import { type ModelCatalog, withoutDate } from './catalog/model-catalog.ts'
import { findProvider, isReady, providerNames, type ProviderAccess } from './find-provider.ts'
import type { ModelChoice, ModelSettings } from './model.ts'
import { offlineModelId } from './model-id.ts'
import type { ListedModel } from './catalog/listed-model.ts'
import { knownModels } from './known-models.ts'

type KnownLists = Pick<ModelCatalog, 'listOf'>

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
  return providerNames(settings)
    .filter((name) => isReady(name, settings) || lists.listOf(name) !== undefined)
    .map((name) => toMenu(findProvider(name, settings), lists.listOf(name)))
}

/** The models of one provider in the menu. `/model` finds the others. */
const menuModelsMax = 25

/**
 * The models of a provider: those recommended first, then those that its vendor lists, newest first. Without a list, only those
 * recommended. A dated snapshot is left out if the model itself is there. Empty if an embedding program opens the models.
 */
function toMenu(access: ProviderAccess, list: readonly ListedModel[] | undefined): ModelChoice[] {
  const { name: provider, type, vendorName } = access
  const known = access.open === undefined ? knownModels(provider, type) : []
  const toChoice = (model: string, name = model): ModelChoice => ({
    id: `${provider}/${model}`,
    name,
    description: vendorName,
  })
  if (list === undefined) return known.map(({ model, name }) => toChoice(model, name))
  const names = new Set(list.flatMap(({ id }) => [id, withoutDate(id)]))
  const recommended = known.filter(({ model }) => names.has(model))
  const shown = new Set(recommended.map(({ model }) => model))
  const ids = new Set(list.map(({ id }) => id))
  const others = list
    .filter(({ id, isForChat }) => isForChat !== false && !shown.has(id) && !shown.has(withoutDate(id)))
    .filter(({ id }) => withoutDate(id) === id || !ids.has(withoutDate(id)))
    .toSorted(newestFirst)
  return [
    ...recommended.map(({ model, name }) => toChoice(model, name)),
    ...others.map(({ id, name }) => toChoice(id, name)),
  ]
}

/** If the vendor gives no date, a name with a higher number counts as newer. */
function newestFirst(a: ListedModel, b: ListedModel): number {
  return (b.createdAt ?? 0) - (a.createdAt ?? 0) || b.id.localeCompare(a.id, 'en', { numeric: true })
}
