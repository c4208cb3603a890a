import type { ListedModel } from './catalog/listed-model.ts'
import { withoutDate } from './catalog/model-catalog.ts'
import type { ProviderAccess } from './find-provider.ts'
import { knownModels } from './known-models.ts'
import type { ModelChoice } from './model.ts'

/** The models of one provider in the menu. `/model` finds the others. */
export const menuModelsMax = 25

/**
 * The models of a provider: those recommended first, then those that its vendor lists, newest first. Without a list, only those
 * recommended. A dated snapshot is left out if the model itself is there. Empty if an embedding program opens the models.
 */
export function toMenu(access: ProviderAccess, list: readonly ListedModel[] | undefined): ModelChoice[] {
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
