import nodeModule from 'node:module'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type Agent, type Logger, type Redactor, OstlerError } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { Log } from './log.ts'
import type { ExitWatchdog } from './exit-watchdog/start-exit-watchdog.ts'
import { startServer, type ServerOptions } from './start-server.ts'

/** Maximum duration of a shutdown. The watchdog handles whatever still runs afterwards. */
const exitMsMax = 4_600

/** By then, a session is usually open and its code is compiled. */
const flushCacheAfterMs = 1_000

/** Most editors make their first request within this time. */
const openAgentAfterMs = 50

/** Time for an editor to open its first session after a failure, because it shows the reason in the response. */
const firstSessionMs = 2_000

const exitSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export interface StdioOptions {
  readonly openAgent: ServerOptions['openAgent']
  /** True if the agent file may name modules, which run in this process once the agent is opened. */
  readonly runsOthersCode: boolean
  /** Throws the error that opening the agent would. For a run that ends before the agent was opened. */
  readonly checkAgent: () => Promise<void>
  readonly logger: Log
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
  readonly redactor: Redactor
  readonly mcpOverAcp: boolean
}

/**
 * Serves the process's own streams until the editor leaves or a signal arrives, then ends the process. The exit code is 0 if the editor
 * left, 128 plus the signal's number, or 1 after an unexpected error.
 */
export async function serveStdio({
  openAgent,
  runsOthersCode,
  checkAgent,
  logger,
  logFile,
  stateDir,
  redactor,
  mcpOverAcp,
}: StdioOptions): Promise<number> {
  let exitCode = 0
  const stop = (code: number) => {
    exitCode ||= code
    server.stop()
  }
  bindConsole(logger)
  bindWarnings(logger)
  bindErrors(logger, (error) => {
    record(redactor.redact(messageOf(error)))
    stop(1)
  })

  const server = startServer({
    input: process.stdin,
    output: process.stdout,
    openAgent: openOrFail,
    onBusy,
    logger,
    mcpOverAcp,
  })
  for (const signal of exitSignals) process.on(signal, () => stop(128 + constants.signals[signal]))
  function fail(error: unknown): void {
    const reason = redactor.redact(messageOf(error))
    process.stderr.write(`ostler: ${reason}\n`)
    logger.recordError(`ended: ${reason}`)
    record(reason)
    exitCode ||= 1
    void Promise.race([server.sessionAnswered, delay(firstSessionMs)]).then(() => stop(1))
  }

  let recorded: Promise<void> | undefined
  function record(reason: string): void {
    if (stateDir === undefined) return
    recorded ??= import('./exit-watchdog/record-end.ts')
      .then(({ recordEnd }) => recordEnd(stateDir, reason))
      .catch((error: unknown) =>
        logger.debug('the reason for the end could not be stored', { error: messageOf(error) }),
      )
  }

  let opened: Promise<Agent> | undefined
  /** The agent may be opened before the editor says what it can show. */
  let elicitModes: Parameters<ServerOptions['openAgent']>[0] = () => []
  /** An error that prevents the start ends the process: an editor shows the last output of an agent that exits. */
  function openOrFail(known = elicitModes): Promise<Agent> {
    elicitModes = known
    if (opened !== undefined) return opened
    opened = (runsOthersCode ? watch() : Promise.resolve()).then(() =>
      openChecked(() => openAgent(() => elicitModes()), logger),
    )
    opened.catch(fail)
    void opened.then(
      (agent) => {
        mayBeOccupied = agent.hasLocalTools
        onBusy()
        agent.started.catch(fail)
      },
      () => undefined,
    )
    return opened
  }

  let isBusy = false
  let mayBeOccupied = runsOthersCode
  let watchdog: ExitWatchdog | undefined
  function onBusy(now = isBusy): void {
    isBusy = now
    watchdog?.setBusy(isBusy || mayBeOccupied)
  }

  let watched: Promise<void> | undefined
  function watch(): Promise<void> {
    watched ??= import('./exit-watchdog/start-exit-watchdog.ts').then(({ startExitWatchdog }) => {
      watchdog = startExitWatchdog({ logFile, stateDir, logger })
      onBusy()
      void server.stopping.then(() => watchdog?.noteEnding())
    })
    return watched
  }

  // A first request is answered before anything is loaded. Without one, the agent is opened anyway, so that its servers can start.
  setTimeout(() => void openOrFail(), openAgentAfterMs).unref()
  // Nothing occupies the main thread before.
  void server.workAsked.then(watch)
  // V8 doubles the space of new objects, up to 32 MiB, whenever many of them survive, as in each opened session. It never returns that space.
  void server.sessionAnswered.then(() => setFlagsFromString('--semi-space-growth-factor=1'))
  setTimeout(flushCompileCache, flushCacheAfterMs).unref()
  void server.stopping.then(() => setTimeout(() => process.exit(exitCode), exitMsMax))
  await server.ended
  // A run that ends before its agent was opened still reports why the agent could not be opened.
  await (opened ?? checkAgent().catch(fail)).catch(() => undefined)
  await recorded
  process.exit(exitCode)
}

/** Fails before the first session if the configured model does not exist. */
async function openChecked(openAgent: () => Promise<Agent>, logger: Logger): Promise<Agent> {
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

/** Editors end their agents with a signal, but Node writes its cache only on a regular exit. */
function flushCompileCache(): void {
  if (nodeModule.getCompileCacheDir() !== undefined) nodeModule.flushCompileCache()
}

/** Output of dependencies is for developers. */
function bindConsole(logger: Logger): void {
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) {
    // The first argument is a sentence. The others may contain secrets.
    console[name] = (first?: unknown) => logger.debug('console', { text: String(first) })
  }
}

/** After an exception, the state of the process is unknown. A rejection has failed one request at most, so other sessions continue. */
function bindErrors(logger: Logger, onException: (error: Error) => void): void {
  process.on('uncaughtException', (error) => {
    logger.error('unhandled error; shutting down', { error: error.stack ?? messageOf(error) })
    onException(error)
  })
  process.on('unhandledRejection', (reason) => {
    logger.error('an unhandled rejection', {
      error: reason instanceof Error ? reason.stack : messageOf(reason),
    })
  })
}

function bindWarnings(logger: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    const isNews = warning.name !== 'ExperimentalWarning' && warning.name !== 'DeprecationWarning'
    logger[isNews ? 'warn' : 'debug'](`${warning.name}: ${warning.message}`)
  })
}

/**
 * Throws if the model does not exist. A missing key is only logged: the person can choose another model, and the prompt reports the key.
 */
function checkModel(agent: Agent, logger: Logger): void {
  try {
    agent.checkModel()
  } catch (error) {
    if (!(error instanceof OstlerError) || error.code === 'model.unknown') throw error
    logger.warn(`the model cannot be used yet: ${error.message}`)
  }
}
