export const offlineModelId = 'offline'

export interface ModelId {
  readonly provider: string
  readonly model: string
}

/**
 * Parses `provider/model`. The model may contain slashes itself (`openrouter/qwen/qwen3-coder`). Undefined for anything else but `offline`.
 */
export function parseModelId(id: string): ModelId | undefined {
  if (id === offlineModelId) return { provider: offlineModelId, model: offlineModelId }
  const slash = id.indexOf('/')
  const provider = id.slice(0, slash)
  const model = id.slice(slash + 1)
  if (slash < 1 || model === '' || id !== id.trim()) return undefined
  return { provider, model }
}
