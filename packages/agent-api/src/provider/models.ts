import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { checkModel, tryFindProvider, vendorOf, type ProviderAccess } from './find-provider.ts'
import type { ModelCatalog } from './catalog/model-catalog.ts'
import { allModels, availableModels, chooseModel } from './choose-model.ts'
import { offlineModelId, parseModelId } from './model-id.ts'
import { thoughtLevelsOf, type ThoughtLevel } from './thought-level.ts'
import { toolsMaxOf } from './tool-limit.ts'
import type { Model, ModelChoice, ModelSettings, Vendor } from './model.ts'

/** The models that the sessions of an agent share. */
export interface Models {
  list(): readonly ModelChoice[]
  /** All known models, also those that are not in the menu. */
  listAll(): readonly ModelChoice[]
  /** Called when the lists change. */
  onChange(listener: () => void): () => void
  /** Empty for a model that cannot be opened. */
  thoughtLevels(id: string): readonly ThoughtLevel[]
  /** The number of tools that a model's vendor accepts. Undefined if the model has no vendor. */
  toolLimit(id: string): ToolLimit | undefined
  /** Opens each model once. A failed attempt is repeated, because the person may have set the key since. */
  open(id: string): Promise<Model>
  /** True if a small model is configured for side work, such as titles and summaries. */
  readonly hasSmall: boolean
  /** Opens the model for side work: the small one, or this one if that does not work. */
  openSide(id: string): Promise<Model>
  /** The model of a session: the one asked for, the stored one if it can still be used, or the agent's. */
  choose(own: string | undefined, stored: string | null | undefined): string
  /** Throws `model.unknown` or `model.no_key` for the agent's model. */
  check(): void
}

export interface ToolLimit {
  readonly max: number
  readonly vendorName: string
}

interface ModelsOptions extends Pick<Model, 'redact'> {
  readonly configured: string | undefined
  /** For side work. */
  readonly small: string | undefined
  readonly logger: Logger
  readonly settings: ModelSettings
  readonly catalog: ModelCatalog
}

export function createModels({
  configured,
  small,
  settings,
  catalog,
  redact,
  logger,
}: ModelsOptions): Models {
  const opened = new Map<string, Promise<Model>>()
  let menu: readonly ModelChoice[] | undefined
  let all: readonly ModelChoice[] | undefined
  catalog.onChange(() => {
    // Models that are opened later use what the vendor has reported.
    opened.clear()
    menu = all = undefined
  })

  /** Undefined for a model that cannot be opened. */
  function vendorOfModel(
    id: string,
  ): { readonly vendor: Vendor; readonly access?: ProviderAccess } | undefined {
    const parsed = parseModelId(id)
    if (parsed?.provider === offlineModelId) return { vendor: 'offline' }
    const access = parsed && tryFindProvider(parsed.provider, settings)
    return access && { vendor: vendorOf(access, settings), access }
  }

  function open(id: string): Promise<Model> {
    const model =
      opened.get(id) ??
      import('./open-model.ts').then((provider) =>
        provider.openModel(id, settings, { listed: catalog.find(id), redact }),
      )
    opened.set(id, model)
    model.catch(() => opened.delete(id))
    return model
  }

  return {
    open,
    hasSmall: small !== undefined,
    openSide: (id) =>
      open(small ?? id).catch((error: unknown) => {
        if (small === undefined) throw error
        const reason = { error: messageOf(error) }
        logger.warn("the small model cannot be used; the session's model does its work", reason)
        return open(id)
      }),
    choose(own, stored) {
      if (own !== undefined) return own
      return typeof stored === 'string' && vendorOfModel(stored) !== undefined
        ? stored
        : chooseModel(configured, settings, catalog)
    },
    check: () => checkModel(chooseModel(configured, settings, catalog), settings),
    list: () => (menu ??= availableModels(settings, catalog)),
    listAll: () => (all ??= allModels(settings, catalog)),
    onChange: catalog.onChange,
    thoughtLevels(id) {
      const found = vendorOfModel(id)
      if (found === undefined) return []
      const listed = found.access && catalog.find(id)
      return thoughtLevelsOf(found.vendor, parseModelId(id)?.model ?? id, listed?.thinks)
    },
    toolLimit(id) {
      const found = vendorOfModel(id)
      return (
        found?.access && { max: toolsMaxOf(found.vendor, found.access), vendorName: found.access.vendorName }
      )
    },
  }
}
