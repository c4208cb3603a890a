import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, type OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Connection, ListName } from './connection.ts'
import type { Established } from './connector.ts'
import { watchHealth } from './health.ts'
import { toKnownServer, type KnownServer } from './known-server.ts'
import type { Timing } from '../base/timing.ts'

/** The current connection of a client. Watches it, and keeps the lists of its server up to date. */
export interface Link {
  readonly connection: Connection | undefined
  /** The last connection. Its lists stay known after it is lost. */
  readonly last: Established | undefined
  /** The server as `last` describes it. The same object until it changes. */
  readonly seen: KnownServer | undefined
  hold(established: Established): void
  /** Forgets the connection and returns it, so that the caller can end it. */
  release(): Connection | undefined
  listChanged(list: ListName): void
  /** Settles when every tool list that the server has announced so far is read, or after `listAwaitedMs`. Never rejects. */
  caughtUp(): Promise<void>
  /** Reads the lists again. Settles when they are read. */
  relist(): Promise<void>
  /** Stops reading lists. */
  stop(): void
}

export interface LinkOptions {
  /** The server's name, for the log. */
  readonly name: string
  readonly logger: Logger
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly onListed: (warnings: readonly string[]) => void
  readonly onDead: (connection: Connection, error: OstlerError) => void
}

export function createLink({ name, logger, timing, signal, onListed, onDead }: LinkOptions): Link {
  let held: { readonly connection: Connection; readonly stopHealth: () => void } | undefined
  let last: Established | undefined
  let seen: KnownServer | undefined
  const refreshers = {
    tools: createRefresher(timing.listChangedMs, () => refresh('tools')),
    prompts: createRefresher(timing.listChangedMs, () => refresh('prompts')),
  }

  async function refresh(list: ListName): Promise<void> {
    const current = held?.connection
    if (current === undefined) return
    try {
      const listed = list === 'tools' ? await current.listTools(signal) : await current.listPrompts(signal)
      if (held?.connection !== current || last === undefined) return
      last = { ...last, [list]: listed.items }
      seen = toKnownServer(last)
      onListed(listed.warnings)
    } catch (error) {
      if (signal.aborted) return
      // Keep the last good list.
      logger.warn(`MCP server ${name}: its ${list} have changed but could not be listed`, {
        error: messageOf(error),
      })
    }
  }

  return {
    get connection() {
      return held?.connection
    },
    get last() {
      return last
    },
    get seen() {
      return seen
    },
    hold(established) {
      const { connection } = established
      last = established
      seen = toKnownServer(established)
      held = { connection, stopHealth: watchHealth(connection, (error) => onDead(connection, error), timing) }
    },
    release() {
      const connection = held?.connection
      held?.stopHealth()
      held = undefined
      return connection
    },
    listChanged: (list) => refreshers[list].changed(),
    async caughtUp() {
      const timer = new AbortController()
      const late = sleep(timing.listAwaitedMs, undefined, { signal: timer.signal, ref: false }).catch(
        () => undefined,
      )
      await Promise.race([refreshers.tools.caughtUp(), late])
      timer.abort()
    },
    async relist() {
      const all = Object.values(refreshers)
      for (const refresher of all) refresher.changed()
      await Promise.all(all.map((refresher) => refresher.caughtUp()))
    },
    stop() {
      for (const refresher of Object.values(refreshers)) refresher.stop()
    },
  }
}

/** Runs a refresh after changes: debounced, and never twice at once. */
export interface Refresher {
  changed(): void
  /** Settles when every change so far has been refreshed. Does not wait for the debounce. */
  caughtUp(): Promise<void>
  stop(): void
}

export function createRefresher(waitMs: number, refresh: () => Promise<void>): Refresher {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let hasChangedMeanwhile = false
  let isStopped = false

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running = refresh().finally(() => {
      running = undefined
      if (!hasChangedMeanwhile) return
      hasChangedMeanwhile = false
      changed()
    })
    return running
  }

  function changed() {
    if (running !== undefined) hasChangedMeanwhile = true
    // The first change of a burst sets the timer. If each change reset it, an endless burst would delay the refresh forever.
    if (isStopped || running !== undefined || timer !== undefined) return
    timer = setTimeout(() => void run(), waitMs).unref()
  }

  return {
    changed,
    async caughtUp() {
      const isDue = timer !== undefined || hasChangedMeanwhile
      await running
      if (isDue && timer !== undefined) await run()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      timer = undefined
    },
  }
}
