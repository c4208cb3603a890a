import { messageOf } from '../base/errors.ts'
import type { Model } from '../provider/model.ts'
import type { SessionState } from './session-state.ts'

/** Opens the model for side work, such as titles and summaries: the small one, or the session's if that does not work. */
export async function openSideModel({ agent, settings }: Pick<SessionState, 'agent' | 'settings'>): Promise<Model> {
  if (agent.smallModel === undefined) return agent.openModel(settings.current.model)
  try {
    return await agent.openModel(agent.smallModel)
  } catch (error) {
    agent.logger.warn("the small model cannot be used; the session's model does its work", { error: messageOf(error) })
    return agent.openModel(settings.current.model)
  }
}
