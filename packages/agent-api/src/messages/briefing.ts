import type { ContextChange } from './context-change.ts'

/** The text that the model gets besides the conversation. Stored, so that a loaded session begins with the same words. */
export interface Briefing {
  /** The part of the system prompt that was written when the session began. */
  readonly text: string
  readonly servers: Readonly<Record<string, string>>
  /** Hashes of the instructions that the model can still read: of files by path, and of servers that connected later. */
  readonly told: Readonly<Record<string, string>>
  /** True if messages were left out since that may have been part of it. It is then written again. */
  readonly isStale: boolean
}

export function afterBriefingChange(
  briefing: Briefing | undefined,
  change: ContextChange,
): Briefing | undefined {
  switch (change.type) {
    case 'briefed': {
      const { text, servers, told } = change
      return { text, servers, told, isStale: false }
    }
    case 'told':
      return briefing && { ...briefing, told: { ...briefing.told, ...change.told } }
    case 'cleared':
    case 'compacted':
    case 'withdrawn':
      return briefing && { ...briefing, told: {}, isStale: true }
    case 'shortened':
      return briefing
  }
}
