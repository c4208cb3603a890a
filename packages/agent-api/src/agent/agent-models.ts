import { checkModel } from '../provider/check-model.ts'
import type { ModelCatalog } from '../provider/catalog/model-catalog.ts'
import { allModels, availableModels, chooseModel } from '../provider/choose-model.ts'
import { findProvider, vendorOf, type ProviderAccess } from '../provider/find-provider.ts'
import { offlineModelId, parseModelId } from '../provider/model-id.ts'
import { thoughtLevelsOf } from '../provider/thought-level.ts'
import { toolsMaxOf } from '../provider/tool-limit.ts'
import type { KnownModels } from '../session/session-state.ts'
import type { Model, ModelChoice, ModelSettings, Vendor } from '../provider/model.ts'

/** The models that the sessions of an agent share. */
export interface AgentModels extends KnownModels {
  /** Opens each model once. A failed attempt is repeated, because the person may have set the key since. */
  open(id: string): Promise<Model>
  /** The model of a session: the one asked for, the stored one if it can still be used, or the agent's. */
  choose(own: string | undefined, stored: string | null | undefined): string
  /** Throws `model.unknown` or `model.no_key` for the agent's model. */
  check(): void
}

interface AgentModelsOptions extends Pick<Model, 'redact'> {
  /** The agent's own choice. */
  readonly configured: string | undefined
  readonly settings: ModelSettings
  readonly catalog: ModelCatalog
}

export function createAgentModels({ configured, settings, catalog, redact }: AgentModelsOptions): AgentModels {
  const opened = new Map<string, Promise<Model>>()
  let menu: readonly ModelChoice[] | undefined
  let all: readonly ModelChoice[] | undefined
  catalog.onChange(() => {
    // Models that are opened later use what the vendor has reported.
    opened.clear()
    menu = all = undefined
  })

  function isUsable(id: string): boolean {
    try {
      checkModel(id, settings)
      return true
    } catch {
      return false
    }
  }

  /** Undefined for a model that cannot be opened. */
  function vendorOfModel(id: string): { readonly vendor: Vendor; readonly access?: ProviderAccess } | undefined {
    const parsed = parseModelId(id)
    if (parsed === undefined || !isUsable(id)) return undefined
    if (parsed.provider === offlineModelId) return { vendor: 'offline' }
    const access = findProvider(parsed.provider, settings)
    return { vendor: vendorOf(access, settings), access }
  }

  return {
    open(id) {
      const model =
        opened.get(id) ??
        import('../provider/open-model.ts').then((provider) => provider.openModel(id, settings, { listed: catalog.find(id), redact }))
      opened.set(id, model)
      model.catch(() => opened.delete(id))
      return model
    },
    choose(own, stored) {
      if (own !== undefined) return own
      return typeof stored === 'string' && isUsable(stored) ? stored : chooseModel(configured, settings, catalog)
    },
    check: () => checkModel(chooseModel(configured, settings, catalog), settings),
    checkId: (id) => checkModel(id, settings),
    list: () => (menu ??= availableModels(settings, catalog)),
    listAll: () => (all ??= allModels(settings, catalog)),
    onChange: catalog.onChange,
    thoughtLevels(id) {
      const vendor = vendorOfModel(id)?.vendor
      return vendor === undefined ? [] : thoughtLevelsOf(vendor, parseModelId(id)?.model ?? id, catalog.find(id)?.thinks)
    },
    toolLimit(id) {
      const found = vendorOfModel(id)
      return found?.access && { max: toolsMaxOf(found.vendor, found.access), vendorName: found.access.vendorName }
    },
  }
}
