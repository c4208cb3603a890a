import { nextTurn } from '../base/in-slices.ts'
import type { Session } from './session.ts'

let isHttpLoaded = false

/**
 * Loads the code and the model of a turn, once: one part after another, so that other work can run in
 * between.
 */
export async function preloadTurn({
  models,
  record,
  toolbox,
}: Pick<Session, 'models' | 'record' | 'toolbox'>) {
  const model = await models.open(record.settings.current.model)
  await nextTurn()
  const turn = await import('../turn/run-turn.ts')
  await nextTurn()
  const tools = await import('./turn-tools.ts')
  await nextTurn()
  await toolbox.builtin.load()
  if (model.vendor !== 'offline') loadHttp()
  return [model, turn, tools] as const
}

/** Node loads its HTTP client on first use. */
function loadHttp(): void {
  if (!isHttpLoaded) void fetch('data:,').catch(() => undefined)
  isHttpLoaded = true
}
