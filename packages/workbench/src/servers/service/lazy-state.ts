import { OstlerError } from '@ostler/agent-api'
import {
  createChanges,
  silentLogger,
  toTiming,
  type Changes,
  type State,
  createStoredState,
  openStoredState,
  type StateOptions,
} from '@ostler/agent-api/internal'

/** The state of a state directory that need not exist yet. */
export interface LazyState extends Disposable {
  /** Also of state that another process creates later. */
  readonly changes: Changes
  /** Undefined if there is no state. */
  find(): State | undefined
  /** Creates the state if it does not exist. Throws `history.*` if it cannot be written. */
  writable(): State
}

export function openLazyState(options: StateOptions & { readonly stateDir: string }): LazyState {
  let opened: State | undefined
  const find = () => (opened ??= openStoredState(options))
  const changes = createChanges({
    journal: () => find()?.journal,
    timing: toTiming(options.timing),
    logger: options.logger ?? silentLogger,
  })
  return {
    changes,
    find,
    writable() {
      opened = find() ?? createStoredState(options)
      if (!opened.journal.isReadOnly) return opened
      throw new OstlerError(
        'history.unwritable',
        `The state directory ${options.stateDir} can be read, but not written. Check its permissions, and the space on its disk.`,
      )
    },
    [Symbol.dispose]() {
      changes[Symbol.dispose]()
      opened?.[Symbol.dispose]()
    },
  }
}
