import type { SessionState } from './session-state.ts'

let isHttpLoaded = false

/** Loads the code and the model of a turn, once. */
export async function preloadTurn({ agent, settings, builtin }: SessionState) {
  const loaded = await Promise.all([agent.openModel(settings.current.model), import('../turn/run-turn.ts'), builtin.load()])
  if (loaded[0].vendor !== 'offline') loadHttp()
  return loaded
}

/** Node loads its HTTP client on first use. */
function loadHttp(): void {
  if (!isHttpLoaded) void fetch('data:,').catch(() => undefined)
  isHttpLoaded = true
}
