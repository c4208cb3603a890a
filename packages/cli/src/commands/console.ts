import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor, OstlerError, type ServerView } from '@ostler/agent-api'
import { isLoopbackAddress, openConsole } from '@ostler/console'
import { agentInfo, openLog } from '@ostler/acp-server'
import { readCommandLine, usageError } from '../command-line/command-line.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { requireStateDir } from '../state/open-state.ts'
import { parsePort } from '../command-line/parse-port.ts'
import { toMcpServersEntry, withVariables } from './mcp/export-entry.ts'
import { consoleCommand } from './specs/console.ts'

/** From the first sign of the end to the last, whatever hangs. */
const exitMsMax = 4_800

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function runConsole(args: readonly string[]): Promise<number> {
  const line = readCommandLine(consoleCommand, args)
  if (line === undefined) return 0
  const { values } = line
  const port = parsePort(consoleCommand, values.port)
  const address = values.host ?? '127.0.0.1'
  if (!isLoopbackAddress(address) && !values['dangerously-allow-remote'])
    throw usageError(consoleCommand, `${address} can be reached by other machines, which --dangerously-allow-remote is needed for`)

  const redactor = createRedactor()
  const logger = openLog({ level: 'warn', file: undefined, redactor })
  // A request that fails in a way that nobody thought of is no reason to end the others.
  process.on('unhandledRejection', (reason) => logger.error('a rejection nobody handled', { error: stackOf(reason) }))
  process.on('uncaughtException', (error) => logger.error('an error nobody handled', { error: stackOf(error) }))
  const ended = endOf(endSignals)
  const console = await openConsole({
    pageDir: findPage(),
    stateDir: requireStateDir(values['state-dir'], process.env),
    env: process.env,
    version: agentInfo.version,
    address,
    port,
    exportServers,
    logger,
    redactor,
    ...(values.agent !== undefined && { agentFile: values.agent }),
  })
  if (!isLoopbackAddress(address)) process.stderr.write(`ostler: other machines can reach the console at ${address}\n`)
  process.stdout.write(`Ostler console: ${console.url}\n`)
  if (!values['no-open']) openBrowser(console.url, process.env)
  await ended
  setTimeout(() => process.exit(0), exitMsMax).unref()
  await console[Symbol.asyncDispose]()
  return 0
}

/** Beside the command as it is shipped; in its package where it runs from its sources. */
function findPage(): string {
  const places = ['../page', '../../dist/page'].map((place) => join(import.meta.dirname, place))
  const page = places.find((place) => existsSync(join(place, 'index.html')))
  if (page === undefined)
    throw new OstlerError('console.no_page', 'The page of the console is missing from this installation. Install Ostler again.')
  return page
}

function exportServers(servers: readonly ServerView[]): Record<string, unknown> {
  return Object.fromEntries([...withVariables(servers)].map(([name, entry]) => [name, toMcpServersEntry(entry)]))
}

function endOf(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve())
  })
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : String(error)
}
