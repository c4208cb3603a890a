import { messageOf } from '../base/errors.ts'
import type { Skill } from '../context/skills.ts'
import type { Briefing } from '../messages/briefing.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { SessionState } from './session-state.ts'

/** A session's knowledge of its project. */
export interface Knowledge {
  /** Undefined before the first prompt. */
  briefing: Briefing | undefined
  skills: readonly Skill[]
  /** Sentences about folders that look like skills but are not. */
  problems: readonly string[]
  /** Set once the skills are being read. */
  loading?: Promise<void>
  /** Empty if there are no skills to read. */
  tools: readonly OfferedTool[]
  /** The files that the model was told about, for the person. */
  files: readonly string[]
  /** Files that calls touched since the last step. */
  readonly touched: Set<string>
  /** Folders that were searched for instructions. */
  readonly searched: Set<string>
}

export function createKnowledge(briefing: Briefing | undefined): Knowledge {
  return { briefing, skills: [], problems: [], tools: [], files: [], touched: new Set(), searched: new Set() }
}

/** Loads the names of the skills, once. Never rejects. */
export function loadSessionSkills(state: SessionState): Promise<void> {
  const load = async () => (await import('./brief.ts')).loadSkillsOf(state)
  return (state.knowledge.loading ??= load().catch((error: unknown) => {
    state.agent.logger.warn('the skills could not be read', { error: messageOf(error) })
  }))
}

const touchedMax = 200

/** A summary has replaced the messages about these files, so the model is told again. */
export function tellAgain(knowledge: Knowledge): void {
  knowledge.searched.clear()
  for (const path of knowledge.files) touch(knowledge, path)
}

/** Remembers the files that calls touch. */
export function noteTouched({ knowledge }: SessionState, event: TurnEvent): void {
  const locations =
    event.type === 'tool_call' ? event.call.locations : event.type === 'tool_call_update' ? (event.update.locations ?? []) : []
  for (const { path } of locations) touch(knowledge, path)
}

function touch({ touched }: Knowledge, path: string): void {
  if (touched.size < touchedMax) touched.add(path)
}
