import { OstlerError } from '@ostler/agent-api'
import { isThoughtChoice } from '@ostler/agent-api/internal'
import type { AcpSession } from './acp-session.ts'
import { invalidParams } from './read-params.ts'
import { modelOptionId, modeOptionId, thoughtOptionId } from './to-acp-config-options.ts'

/** Setting the current value does nothing, because some editors repeat every option before each prompt. */
export async function setConfigOption(session: AcpSession, configId: string, value: unknown): Promise<void> {
  const { chat, view } = session
  switch (configId) {
    case modeOptionId:
      if (value === chat.mode) return
      await setMode(session, value)
      return
    case modelOptionId:
      if (typeof value !== 'string') throw invalidParams('value', 'is not one of the models')
      if (value !== chat.model) await setModel(session, value)
      return
    case thoughtOptionId:
      if (!isThoughtChoice(value) || !isOffered(offeredBy(view, thoughtOptionId), value))
        throw invalidParams('value', 'is not one of the levels')
      if (value === offeredBy(view, thoughtOptionId)?.currentValue) return
      view.learnConfig({ thoughtLevel: value })
      chat.setThoughtLevel(value)
      return
    default:
      throw invalidParams('configId', 'is not one of the options')
  }
}

async function setMode({ chat, view, parseMode }: AcpSession, value: unknown): Promise<void> {
  const mode = await parseMode('value', value)
  view.learnConfig({ mode })
  chat.setMode(mode)
}

/** Any model that can be opened may be chosen, because the menu does not list them all. */
async function setModel({ chat, view }: AcpSession, model: string): Promise<void> {
  view.learnConfig({ model })
  try {
    await chat.setModel(model)
  } catch (error) {
    view.learnConfig({})
    if (error instanceof OstlerError && error.code === 'model.unknown')
      throw invalidParams('value', 'is not one of the models')
    if (error instanceof OstlerError && error.code === 'model.no_key')
      throw invalidParams('value', 'is a model without an API key')
    throw error
  }
}

type ConfigOption = AcpSession['view']['configOptions'][number]

function offeredBy(view: AcpSession['view'], id: string): ConfigOption | undefined {
  return view.configOptions.find((option) => option.id === id)
}

function isOffered(option: ConfigOption | undefined, value: string): boolean {
  return (
    option?.type === 'select' && option.options.some((choice) => 'value' in choice && choice.value === value)
  )
}
