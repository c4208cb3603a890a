import { nextTurn } from '../base/in-slices.ts'
import type { SessionState } from './session-state.ts'

let isHttpLoaded = false

/** Loads the code and the model of a turn, once. One part after the other, so that what else there is to do comes between. */
export async function preloadTurn({ agent, settings, builtin }: SessionState) {
  const model = await agent.openModel(settings.current.model)
  await nextTurn()
  const turn = await import('../turn/run-turn.ts')
  await nextTurn()
  const tools = await builtin.load()
  if (model.vendor !== 'offline') loadHttp()
  return [model, turn, tools] as const
}

/** Node loads its HTTP client on first use. */
function loadHttp(): void {
  if (!isHttpLoaded) void fetch('data:,').catch(() => undefined)
  isHttpLoaded = true
}
