import type { SessionState } from './session-state.ts'

let isHttpLoaded = false

/** Loads the code and the model of a turn, once. */
export async function preloadTurn({ agent, settings, builtin }: SessionState) {
  // Node loads its HTTP client on first use.
  if (!isHttpLoaded) void fetch('data:,').catch(() => undefined)
  isHttpLoaded = true
  const code = [import('../turn/run-turn.ts'), import('../tools/tool-search.ts')] as const
  const [model, runTurn, toolSearch] = await Promise.all([agent.openModel(settings.current.model), ...code, builtin.load()])
  return [model, runTurn, toolSearch] as const
}
