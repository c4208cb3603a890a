import { OstlerError } from '../base/errors.ts'
import { findProvider } from './find-provider.ts'
import type { ModelSettings } from './model.ts'
import { offlineModelId, parseModelId, type ModelId } from './model-id.ts'

/** Throws `model.unknown` or `model.no_key` for a model that cannot be opened. Loads no package and makes no request. */
export function checkModel(id: string, settings: ModelSettings): void {
  const { provider } = readModelId(id)
  if (provider !== offlineModelId) findProvider(provider, settings)
}

export function readModelId(id: string): ModelId {
  const parsed = parseModelId(id)
  if (parsed !== undefined) return parsed
  throw new OstlerError(
    'model.unknown',
    `"${id}" is not a model: write provider/model, as in anthropic/claude-sonnet-5-5, or "offline".`,
  )
}
