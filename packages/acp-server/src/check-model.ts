import { OstlerError, type Agent, type Logger } from '@ostler/agent-api'

/**
 * Throws if the model does not exist. A missing key is only logged: the person can choose another model, and the prompt reports the key.
 */
export function checkModel(agent: Agent, logger: Logger): void {
  try {
    agent.checkModel()
  } catch (error) {
    if (!(error instanceof OstlerError) || error.code === 'model.unknown') throw error
    logger.warn(`the model cannot be used yet: ${error.message}`)
  }
}
