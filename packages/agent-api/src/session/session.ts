import type { Logger } from '../base/logger.ts'
import type { Timing } from '../base/timing.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import type { State } from '../state/state.ts'
import type { TurnSettings } from '../turn/turn.ts'
import type { Membranes } from './membranes.ts'
import type { Models } from '../provider/models.ts'
import type { SharedPerson, SessionPerson } from './person.ts'
import type { Project, ProjectSettings } from './project.ts'
import type { SessionRecord } from './session-record.ts'
import type { SharedTools, Toolbox } from './toolbox.ts'

/** The parts of an agent that its sessions share. */
export interface SharedParts {
  readonly name: string
  readonly project: ProjectSettings
  readonly tools: SharedTools
  readonly person: SharedPerson
  readonly models: Models
  readonly turns: Pick<TurnSettings, 'stepsMax' | 'compactAt' | 'timing'>
  readonly state: State
  readonly membranes: Membranes
  readonly timing: Timing
  readonly logger: Logger
}

/** The parts of an open session. A file takes those that it needs; only a file that composes them takes all. */
export interface Session extends Pick<SharedParts, 'models' | 'turns' | 'logger'> {
  readonly project: Project
  readonly toolbox: Toolbox
  readonly record: SessionRecord
  readonly person: SessionPerson
  readonly report: () => ServerReport
}
