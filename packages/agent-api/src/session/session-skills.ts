import { messageOf } from '../base/errors.ts'
import type { Skill } from '../context/skills.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { SessionState } from './session-state.ts'

/** The skills of the project and of the person. */
export interface SessionSkills {
  list: readonly Skill[]
  /** Sentences about folders that look like skills but are not. */
  problems: readonly string[]
  /** Set once the skills are being read. */
  loading?: Promise<void>
  /** Empty if there are no skills to read. */
  tools: readonly OfferedTool[]
}

/** Loads the names of the skills, once. Never rejects. */
export function loadSessionSkills(state: SessionState): Promise<void> {
  const load = async () => (await import('./brief.ts')).loadSkillsOf(state)
  return (state.skills.loading ??= load().catch((error: unknown) => {
    state.agent.logger.warn('the skills could not be read', { error: messageOf(error) })
  }))
}
