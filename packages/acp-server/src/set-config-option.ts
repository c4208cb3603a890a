import type { AcpSession } from './acp-session.ts'
import { invalidParams } from './invalid-params.ts'
import { isApprovalMode, modelOptionId, modeOptionId } from './to-acp-config-options.ts'

/** Setting the current value does nothing, because some editors repeat every option before each prompt. */
export async function setConfigOption(session: AcpSession, configId: string, value: unknown): Promise<void> {
  const { chat, view } = session
  switch (configId) {
    case modeOptionId:
      if (!isApprovalMode(value)) throw invalidParams('value', 'is not one of the modes')
      if (value === chat.mode) return
      view.learnConfig({ mode: value })
      chat.setMode(value)
      return
    case modelOptionId: {
      const offered = view.configOptions.find((option) => option.id === modelOptionId)
      if (typeof value !== 'string' || !isOffered(offered, value)) throw invalidParams('value', 'is not one of the models')
      if (value === chat.model) return
      view.learnConfig({ model: value })
      await chat.setModel(value)
      return
    }
    default:
      throw invalidParams('configId', 'is not one of the options')
  }
}

function isOffered(option: AcpSession['view']['configOptions'][number] | undefined, value: string): boolean {
  return option?.type === 'select' && option.options.some((choice) => 'value' in choice && choice.value === value)
}
