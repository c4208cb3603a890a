import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { ChatSession, ApprovalMode } from '@ostler/agent-api'
import {
  type ModelChoice,
  type ThoughtChoice,
  type ThoughtLevel,
  fitThoughtLevel,
  modeNames,
} from '@ostler/agent-api/internal'
import { invalidParams } from './read-params.ts'

/** The current settings that a person can change in the editor. */
export interface Settings extends Pick<ChatSession, 'mode' | 'model' | 'thoughtLevel'> {
  readonly modes: readonly ApprovalMode[]
  readonly models: readonly ModelChoice[]
  /** The levels of thinking that the model has. Without any, there is no option. */
  readonly thoughtLevels: readonly ThoughtLevel[]
}

export const modeOptionId = 'mode'
export const modelOptionId = 'model'
export const thoughtOptionId = 'thought_level'

const modeDescriptions: Readonly<Record<ApprovalMode, string>> = {
  'read-only': 'Only read, search and plan; reject everything else',
  'always-ask': 'Ask before every call that does more than read',
  'trusted-only': 'Run trusted tools without asking, ask before all others',
  fenced: 'Edit files, and run commands in a sandbox, without asking; ask before all others',
  auto: 'Run tools without asking',
}

const toMode = (mode: ApprovalMode) => ({ name: modeNames[mode], description: modeDescriptions[mode] })

/** Always the complete list, because an editor replaces its previous one. */
export function toAcpConfigOptions({
  mode,
  modes,
  model,
  models,
  thoughtLevel,
  thoughtLevels,
}: Settings): SessionConfigOption[] {
  return [
    {
      id: modeOptionId,
      name: 'Approval',
      description: 'When to ask before running a tool',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: modes.map((value) => ({ value, ...toMode(value) })),
    },
    {
      id: modelOptionId,
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: models.map(({ id, name, description }) => ({
        value: id,
        name,
        description,
      })),
    },
    ...(thoughtLevels.length === 0 ? [] : [toThoughtOption(thoughtLevel, thoughtLevels)]),
  ]
}

const thoughtNames: Readonly<Record<ThoughtChoice, string>> = {
  default: 'Default',
  off: 'Off',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
}

function toThoughtOption(choice: ThoughtChoice, levels: readonly ThoughtLevel[]): SessionConfigOption {
  return {
    id: thoughtOptionId,
    name: 'Thinking',
    description: 'How much the model thinks before it answers',
    category: 'thought_level',
    type: 'select',
    // A session keeps its choice when it changes to a model without that level.
    currentValue: fitThoughtLevel(choice, levels) ?? 'default',
    options: [
      { value: 'default', name: thoughtNames.default, description: 'As the model decides' },
      ...levels.map((value) => ({ value, name: thoughtNames[value] })),
    ],
  }
}

/** The model menu of a session: all available models, after those used models that are not among them. */
export function toModelMenu(used: Iterable<string>, models: readonly ModelChoice[]): readonly ModelChoice[] {
  const listed = new Set(models.map(({ id }) => id))
  return [...[...used].filter((id) => !listed.has(id)).map((id) => ({ id, name: id })), ...models]
}

/** The mode as ACP modes, for editors without config options. */
export function toAcpModes(mode: ApprovalMode, modes: readonly ApprovalMode[]): SessionModeState {
  return { currentModeId: mode, availableModes: modes.map((id) => ({ id, ...toMode(id) })) }
}

/** Throws an error for the editor. */
export function parseMode(field: string, value: unknown, modes: readonly ApprovalMode[]): ApprovalMode {
  const found = modes.find((mode) => mode === value)
  if (found !== undefined) return found
  const hint = value === 'fenced' ? ' here: it needs a sandbox, and `ostler doctor` says why none works' : ''
  throw invalidParams(field, `is not one of the modes${hint}`)
}
