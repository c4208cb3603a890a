import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import { approvalModes, type ApprovalMode, type ModelChoice } from '@ostler/agent-api'

/** The current settings that a person can change in the editor. */
export interface Settings {
  readonly mode: ApprovalMode
  readonly model: string
  readonly models: readonly ModelChoice[]
}

export const modeOptionId = 'mode'
export const modelOptionId = 'model'

const modeTexts: Readonly<Record<ApprovalMode, { readonly name: string; readonly description: string }>> = {
  'read-only': { name: 'Read only', description: 'Only read, search and plan; refuse everything else' },
  'always-ask': { name: 'Always ask', description: 'Ask before every call that does more than read' },
  'trusted-only': { name: 'Trusted only', description: 'Run trusted tools without asking, ask before all others' },
  auto: { name: 'Auto', description: 'Run tools without asking' },
}

/** Always the complete list, because an editor replaces its previous one. */
export function toAcpConfigOptions({ mode, model, models }: Settings): SessionConfigOption[] {
  return [
    {
      id: modeOptionId,
      name: 'Approval',
      description: 'When to ask before running a tool',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: approvalModes.map((value) => ({ value, ...modeTexts[value] })),
    },
    {
      id: modelOptionId,
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: models.map(({ id, name, description }) => ({ value: id, name, ...(description === undefined ? {} : { description }) })),
    },
  ]
}

/** The model menu of a session: all available models, and the session's initial model, which may not be among them. */
export function toModelMenu(initial: string, models: readonly ModelChoice[]): readonly ModelChoice[] {
  return models.some(({ id }) => id === initial) ? models : [{ id: initial, name: initial }, ...models]
}

/** The mode as ACP modes, for editors without config options. */
export function toAcpModes(mode: ApprovalMode): SessionModeState {
  return { currentModeId: mode, availableModes: approvalModes.map((id) => ({ id, ...modeTexts[id] })) }
}

export function isApprovalMode(value: unknown): value is ApprovalMode {
  return approvalModes.some((mode) => mode === value)
}
