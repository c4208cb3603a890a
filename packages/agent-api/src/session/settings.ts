import type { SessionLog } from '../history/session-entry.ts'
import type { ApprovalMode } from '../policy/approval.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'

/** The settings of a session as one value. A change replaces it. */
export interface SessionSettings {
  /** Null until the first prompt. */
  readonly title: string | null
  readonly model: string
  readonly mode: ApprovalMode
  readonly thoughtLevel: ThoughtChoice
}

export interface Settings {
  readonly current: SessionSettings
  /** Stores the differences, and reports them. */
  change(changes: Partial<SessionSettings>): void
}

export function createSettings(
  initial: SessionSettings,
  log: Pick<SessionLog, 'set'>,
  tell: (what: keyof SessionSettings) => void,
): Settings {
  let current = initial
  return {
    get current() {
      return current
    },
    change(changes) {
      const before = current
      current = { ...before, ...changes }
      const changed = (['title', 'model', 'mode', 'thoughtLevel'] as const).filter((what) => current[what] !== before[what])
      if (changed.length === 0) return
      log.set(changes)
      for (const what of changed) tell(what)
    },
  }
}
