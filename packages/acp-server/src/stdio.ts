import nodeModule from 'node:module'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, type Agent, type Logger, type Redactor } from '@ostler/agent-api'
import { checkModel } from './check-model.ts'
import type { Log } from './log.ts'
import { startServer } from './start-server.ts'

/** From the first sign of the end to the last, whatever hangs. What is still running then is for the watchdog. */
const exitMsMax = 4_600

/** By then a session is usually open, and what it needed is compiled. */
const flushCacheAfterMs = 1_000

/** The time in which an editor usually asks its first question. */
const openAgentAfterMs = 50

/** How long an editor that has not asked for a session yet may still do so: the answer is where it shows why the agent ends. */
const firstSessionMs = 2_000

/** A thread takes a while to start, and the first session is not to wait for it. */
const watchAfterMs = 300

const exitSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export interface StdioOptions {
  readonly openAgent: () => Promise<Agent>
  /** The agent file may name modules, which run in this process from the moment the agent is opened. */
  readonly runsOthersCode: boolean
  /** Throws what would keep the agent from opening; for a run that ends before it has. */
  readonly checkAgent: () => Promise<void>
  readonly logger: Log
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
  readonly redactor: Redactor
}

/**
 * Serves this process's own streams until the editor leaves or a signal comes, and ends the process. The exit code is 0 when the editor
 * left, 128 and the number of the signal when one came, and 1 after an error nobody expected.
 */
export async function serveStdio({
  openAgent,
  runsOthersCode,
  checkAgent,
  logger,
  logFile,
  stateDir,
  redactor,
}: StdioOptions): Promise<number> {
  let exitCode = 0
  const stop = (code: number) => {
    exitCode ||= code
    server.stop()
  }
  bindConsole(logger)
  bindWarnings(logger)
  process.on('uncaughtException', (error) => {
    // Nothing is known about what still works, so everything is ended in good order.
    logger.error('an error nobody handled; ending', { error: error.stack ?? messageOf(error) })
    record(redactor.redact(messageOf(error)))
    stop(1)
  })
  process.on('unhandledRejection', (reason) => {
    // One request at most has failed; the sessions beside it go on.
    logger.error('a rejection nobody handled', { error: reason instanceof Error ? reason.stack : messageOf(reason) })
  })

  const server = startServer({ input: process.stdin, output: process.stdout, openAgent: openOrFail, logger })
  for (const signal of exitSignals) process.on(signal, () => stop(128 + constants.signals[signal]))
  function fail(error: unknown): void {
    const reason = redactor.redact(messageOf(error))
    process.stderr.write(`ostler: ${reason}\n`)
    logger.recordError(`ended: ${reason}`)
    record(reason)
    exitCode ||= 1
    void Promise.race([server.sessionAsked, delay(firstSessionMs)]).then(() => stop(1))
  }

  let recorded: Promise<void> | undefined
  function record(reason: string): void {
    if (stateDir === undefined) return
    recorded ??= import('./record-end.ts')
      .then(({ recordEnd }) => recordEnd(stateDir, reason))
      .catch((error: unknown) => logger.debug('the reason of the end could not be kept', { error: messageOf(error) }))
  }

  let opened: Promise<Agent> | undefined
  /** What keeps the agent from starting is said as it is, and ends everything: an editor shows the last words of an agent that left. */
  function openOrFail(): Promise<Agent> {
    if (opened !== undefined) return opened
    opened = (runsOthersCode ? watch() : Promise.resolve()).then(openChecked)
    opened.catch(fail)
    void opened.then(
      (agent) => agent.started.catch(fail),
      () => undefined,
    )
    return opened
  }

  let watched: Promise<void> | undefined
  function watch(): Promise<void> {
    watched ??= import('./exit-watchdog/start-exit-watchdog.ts').then(({ startExitWatchdog }) => {
      const watchdog = startExitWatchdog({ logFile, stateDir, onOutputGone: () => stop(0), logger })
      void server.stopping.then(() => watchdog.noteEnding())
    })
    return watched
  }

  /** No session is opened with a model that there is none of. */
  async function openChecked(): Promise<Agent> {
    const agent = await openAgent()
    try {
      checkModel(agent, logger)
      return agent
    } catch (error) {
      agent.started.catch(() => undefined)
      await agent[Symbol.asyncDispose]()
      throw error
    }
  }

  // An editor that asks at once has its answer before anything is loaded; one that takes its time does not keep the agent's servers waiting.
  setTimeout(() => void openOrFail(), openAgentAfterMs).unref()
  setTimeout(() => void watch(), watchAfterMs).unref()
  setTimeout(flushCompileCache, flushCacheAfterMs).unref()
  void server.stopping.then(() => setTimeout(() => process.exit(exitCode), exitMsMax))
  await server.ended
  // A run that ends before its agent has opened still says why the agent could not have.
  await (opened ?? checkAgent().catch(fail)).catch(() => undefined)
  await recorded
  process.exit(exitCode)
}

/** Editors end their agents with a signal, and Node writes its cache only at a proper exit. */
function flushCompileCache(): void {
  if (nodeModule.getCompileCacheDir() !== undefined) nodeModule.flushCompileCache()
}

/** What dependencies print is for developers. */
function bindConsole(logger: Logger): void {
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) {
    // The first argument is a sentence; the others may hold anything.
    console[name] = (first?: unknown) => logger.debug('console', { text: String(first) })
  }
}

function bindWarnings(logger: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    const isNews = warning.name !== 'ExperimentalWarning' && warning.name !== 'DeprecationWarning'
    logger[isNews ? 'warn' : 'debug'](`${warning.name}: ${warning.message}`)
  })
}
