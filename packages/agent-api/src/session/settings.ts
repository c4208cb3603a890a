import type { SessionLog, SessionSummary } from '../state/sessions/session-entry.ts'
import type { ApprovalMode } from '../policy/approval-mode.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'

export interface SessionChoices {
  readonly model: string
  readonly mode: ApprovalMode
  readonly thoughtLevel: ThoughtChoice
}

/** A change replaces the value. */
export interface SessionSettings
  extends SessionChoices, Pick<SessionSummary, 'title' | 'additionalDirectories' | 'turns' | 'updatedAt'> {}

type Changes = Partial<SessionChoices & Pick<SessionSettings, 'title'>>

export interface Settings {
  readonly current: SessionSettings
  /** Stores the differences, and reports them. The log changes the times. The directories stay while the session is open. */
  change(changes: Changes): void
}

/**
 * `applied` replaces stored values that are null, because the person has chosen nothing, or that cannot be
 * used now.
 */
export function createSettings(
  log: Pick<SessionLog, 'session' | 'set'>,
  applied: SessionChoices & Pick<SessionSettings, 'additionalDirectories'>,
  tell: (what: keyof Changes) => void,
): Settings {
  let effective = applied
  const settings: Settings = {
    get current() {
      return { ...log.session, ...effective }
    },
    change(changes) {
      const before = settings.current
      const after = { ...before, ...changes }
      const changed = (['title', 'model', 'mode', 'thoughtLevel'] as const).filter(
        (what) => after[what] !== before[what],
      )
      if (changed.length === 0) return
      const { model, mode, thoughtLevel } = after
      effective = { ...effective, model, mode, thoughtLevel }
      log.set(changes)
      for (const what of changed) tell(what)
    },
  }
  return settings
}
