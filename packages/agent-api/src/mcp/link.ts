import { messageOf, type OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { atMost } from '../base/or-aborted.ts'
import type { Connection, ListName } from './connection.ts'
import type { Established } from './connector.ts'
import { watchHealth } from './health.ts'
import { toKnownServer, type KnownServer } from './known-server.ts'
import type { Timing } from '../base/timing.ts'

interface LinkOptions {
  readonly name: string
  readonly logger: Logger
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly onListed: (warnings: readonly string[]) => void
  readonly onDead: (connection: Connection, error: OstlerError) => void
}

export interface SeenServer {
  /** The same object until the lists change. */
  readonly known: KnownServer
  readonly capabilities: Connection['capabilities']
  readonly phases: Established['phases']
}

/** The current connection of a client. Watches it, and keeps the lists of its server up to date. */
export function createLink({ name, logger, timing, signal, onListed, onDead }: LinkOptions) {
  let held: { readonly connection: Connection; readonly stopHealth: () => void } | undefined
  let seen: SeenServer | undefined
  const refreshers = {
    tools: createRefresher(timing.listChangedMs, () => refresh('tools')),
    prompts: createRefresher(timing.listChangedMs, () => refresh('prompts')),
  }

  async function refresh(list: ListName): Promise<void> {
    const current = held?.connection
    if (current === undefined) return
    try {
      const listed = list === 'tools' ? await current.listTools(signal) : await current.listPrompts(signal)
      if (held?.connection !== current || seen === undefined) return
      seen = { ...seen, known: { ...seen.known, [list]: listed.items } }
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
    get connection(): Connection | undefined {
      return held?.connection
    },
    /** The server at its last connection. Stays after the connection is gone. */
    get seen(): SeenServer | undefined {
      return seen
    },
    hold(established: Established): void {
      const { connection, phases } = established
      seen = { known: toKnownServer(established), capabilities: connection.capabilities, phases }
      held = { connection, stopHealth: watchHealth(connection, (error) => onDead(connection, error), timing) }
    },
    /** Forgets the connection and returns it, so that the caller can end it. */
    release(): Connection | undefined {
      const connection = held?.connection
      held?.stopHealth()
      held = undefined
      return connection
    },
    listChanged: (list: ListName) => refreshers[list].changed(),
    /** Settles when every tool list that the server has announced so far is read, or after `listAwaitedMs`. Never rejects. */
    caughtUp: () => atMost(timing.listAwaitedMs, refreshers.tools.caughtUp(), undefined),
    /** Settles when the lists are read again. */
    async relist(): Promise<void> {
      const all = Object.values(refreshers)
      for (const refresher of all) refresher.changed()
      await Promise.all(all.map((refresher) => refresher.caughtUp()))
    },
    stop(): void {
      for (const refresher of Object.values(refreshers)) refresher.stop()
    },
  }
}

/** Runs a refresh after changes: debounced, and never twice at once. */
function createRefresher(waitMs: number, refresh: () => Promise<void>) {
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
    /** Settles when every change so far has been refreshed. Does not wait for the debounce. */
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
