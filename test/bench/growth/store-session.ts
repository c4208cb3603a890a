import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'
import { newSession } from '../../support/history-lab.ts'

export interface StoredSession {
  readonly id: string
  readonly cwd: string
  readonly turns: number
  /** The texts of the model in each turn: one message for the model, and as many updates for the editor. */
  readonly updatesPerTurn: number
}

const turnsAtOnce = 100

/** Stores a session as a past process would have left it. */
export async function storeSession(
  stateDir: string,
  { id, cwd, turns, updatesPerTurn }: StoredSession,
): Promise<void> {
  using state = openState({ stateDir })
  const log = state.sessions.log(newSession(id, { cwd }), { isStored: false })
  for (let turn = 0; turn < turns; turn++) {
    const content = [{ type: 'text', text: `question ${turn}` }] as const
    log.beginTurn(content)
    log.message({ role: 'user', id: `question${turn}`, content })
    for (let update = 0; update < updatesPerTurn; update++)
      log.event({
        type: 'text',
        messageId: `answer${turn}-${update}`,
        text: `part ${update} of answer ${turn}`,
      })
    log.message({ role: 'assistant', id: `answer${turn}`, parts: [{ type: 'text', text: `answer ${turn}` }] })
    log.event({
      type: 'turn_end',
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 },
    })
    if (turn % turnsAtOnce === 0) await turnOfOthers()
  }
}
