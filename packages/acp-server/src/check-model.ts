import { tmpdir } from 'node:os'
import { OstlerError, type Agent, type Logger } from '@ostler/agent-api'

/**
 * Rejects with `model.unknown` when the model that was asked for is none that could ever be opened. A key that is missing is only logged: the
 * person can choose another model, and the prompt says which key it is. Nobody is asked for anything.
 */
export async function checkModel(agent: Agent, logger: Logger): Promise<void> {
  await using begun = agent.createSession({ cwd: tmpdir() })
  const { model } = begun
  const provider = `${model.split('/')[0]}/`
  // What is offered can be opened, and so can the other models of its provider.
  if (agent.models().some(({ id }) => id === model || id.startsWith(provider))) return
  try {
    // A session opens a model when it changes to it.
    await using other = agent.createSession({ cwd: tmpdir(), model: 'offline' })
    await other.setModel(model)
  } catch (error) {
    if (!(error instanceof OstlerError) || error.code === 'model.unknown') throw error
    logger.warn(`the model ${model} cannot be used yet: ${error.message}`)
  }
}
