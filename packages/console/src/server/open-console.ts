import { createRedactor } from '@ostler/agent-api'
import { silentLogger, strikeWith, createStoredState } from '@ostler/agent-api/internal'
import { openAgentSource } from './agent-source.ts'
import { createAudit } from './audit.ts'
import type { ConsoleContext, ConsoleSettings } from './context.ts'
import { openHttpServer, type HttpServer, type HttpServerOptions } from './http/open-http-server.ts'
import { readStaticFiles } from './http/static-files.ts'
import { createLiveFeed } from './live-feed.ts'
import { createConsent } from './server-consent.ts'
import { allRoutes } from './routes/all-routes.ts'

export interface ConsoleOptions
  extends
    ConsoleSettings,
    Partial<Pick<ConsoleContext, 'commandFlags' | 'logger'> & Pick<HttpServerOptions, 'redactor'>>,
    Pick<HttpServerOptions, 'isForThisUser' | 'limits'> {
  readonly pageDir: string
  readonly agentFile?: string
  /** Defaults to 127.0.0.1. The caller must have warned about any other address. */
  readonly address?: string
  readonly port?: number
}

/** Serves the console until it is disposed, then ends every server connected in it. Throws `history.*` and `console.*`. */
export async function openConsole(options: ConsoleOptions): Promise<HttpServer> {
  const {
    pageDir,
    stateDir,
    env,
    version,
    exportServers,
    logger = silentLogger,
    redactor = createRedactor(),
  } = options
  const files = readStaticFiles(pageDir)
  const state = createStoredState({ stateDir, logger, redactor })
  const agent = openAgentSource({ named: options.agentFile, env, stateDir, logger, redactor })
  const live = createLiveFeed(state, agent)
  const audit = createAudit(state.calls, () => agent.name())
  const context: ConsoleContext = {
    version,
    stateDir,
    commandFlags: options.commandFlags ?? [],
    env,
    agent,
    state,
    audit,
    live,
    consent: createConsent(),
    exportServers,
    strike: strikeWith(redactor),
    logger,
  }

  async function close(): Promise<void> {
    live[Symbol.dispose]()
    await agent[Symbol.asyncDispose]()
    state[Symbol.dispose]()
  }

  try {
    // Loads all secrets into the redactor before the first reply.
    await (await agent.service()).listServers()
    const { address = '127.0.0.1', port = 0, isForThisUser, limits } = options
    const server = await openHttpServer({
      address,
      port,
      routes: allRoutes(context),
      files,
      logger,
      redactor,
      isForThisUser,
      limits,
    })
    let closed: Promise<void> | undefined
    return {
      port: server.port,
      url: server.url,
      [Symbol.asyncDispose]() {
        closed ??= Promise.resolve(server[Symbol.asyncDispose]()).then(close)
        return closed
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
