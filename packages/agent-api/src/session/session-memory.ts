import { emptyGauge, type Gauge } from '../context/gauge.ts'
import type { Briefing } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import { createWorkspaceMemory, type WorkspaceMemory } from '../workspace/workspace-memory.ts'

/**
 * Everything that a prompt changes in a session, and that is restored if the prompt counts as not sent. Each field is a plain value that is
 * replaced, never changed in place, so a shallow copy restores all of them.
 */
export interface SessionMemory extends WorkspaceMemory {
  messages: readonly Message[]
  briefing: Briefing | undefined
  gauge: Gauge
  /** The project's instructions that the model was told, for the person. */
  instructionFiles: readonly string[]
  /** Files that calls touched since the last step. */
  touched: readonly string[]
  searched: ReadonlySet<string>
  /** The number of changes that the model knows, by resource. */
  resources: ReadonlyMap<string, number>
  /** Each turn reports only changes. Undefined before the first. */
  reported: ReportedProblems | undefined
  /** Only changes are stored. */
  offer: string | undefined
  /** The tools whose definitions the last request contained, and its model. */
  listed: { readonly model: string; readonly keys: readonly string[] } | undefined
}

interface ReportedProblems {
  readonly problems: string
  readonly remarks: readonly string[]
  readonly failed: readonly string[]
}

export function createSessionMemory(
  model: string,
  messages: readonly Message[] = [],
  briefing?: Briefing,
): SessionMemory {
  return {
    messages,
    briefing,
    gauge: emptyGauge(model),
    instructionFiles: [],
    touched: [],
    searched: new Set(),
    resources: new Map(),
    reported: undefined,
    offer: undefined,
    listed: undefined,
    ...createWorkspaceMemory(),
  }
}

const touchedMax = 200

/** A summary has replaced the messages about these files, so the model is told again. */
export function tellAgain(memory: SessionMemory): void {
  memory.searched = new Set()
  touch(memory, memory.instructionFiles)
}

export function noteTouched(memory: SessionMemory, event: TurnEvent): void {
  const call =
    event.type === 'tool_call' ? event.call : event.type === 'tool_call_update' ? event.update : undefined
  const paths = (call?.locations ?? []).map(({ path }) => path)
  if (paths.length > 0) touch(memory, paths)
}

function touch(memory: SessionMemory, paths: readonly string[]): void {
  memory.touched = [...new Set([...memory.touched, ...paths])].slice(0, touchedMax)
}
