import { afterBriefingChange, type Briefing } from '../../messages/briefing.ts'
import type { Cost } from '../../messages/turn-event.ts'
import type { SessionEntry } from './session-entry.ts'

/** The facts that a session needs to continue as before, besides its messages. */
export interface RestoredFacts {
  readonly cost?: Cost | undefined
  readonly briefing?: Briefing | undefined
}

export function withEntry(facts: RestoredFacts, entry: SessionEntry): RestoredFacts {
  if (entry.kind === 'change')
    return { ...facts, briefing: afterBriefingChange(facts.briefing, entry.change) }
  if (entry.kind === 'event' && entry.event.type === 'usage')
    return { ...facts, cost: entry.event.usage.cost ?? facts.cost }
  return facts
}
