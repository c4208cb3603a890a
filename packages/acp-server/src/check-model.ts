import { OstlerError, type Agent, type Logger } from '@ostler/agent-api'

/** A model that there is none of ends the start. A key that is missing is only logged: the person can choose another, and the prompt says which key. */
export function checkModel(agent: Agent, logger: Logger): void {
  try {
    agent.checkModel()
  } catch (error) {
    if (!(error instanceof OstlerError) || error.code === 'model.unknown') throw error
    logger.warn(`the model cannot be used yet: ${error.message}`)
  }
}
