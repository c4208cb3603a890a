import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OstlerError, createRedactor } from '@ostler/agent-api'
import type { ServerView } from '@ostler/workbench'
import { isLoopbackAddress } from '@ostler/console'
import { agentInfo, openLog } from '@ostler/acp-server'
import {
  agentFlag,
  defineCommand,
  stateDirFlag,
  switchFlag,
  textFlag,
  usageError,
} from '../command-line/command.ts'
import { parsePort } from '../command-line/parse-values.ts'
import { requireStateDir, toPath } from '../state/places.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { toMcpServersEntry, withVariables } from './mcp/export-entry.ts'

const exitMsMax = 4_800

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Serves the web console on this machine and opens it in the browser, until you press Ctrl-C. The printed address works once.\nRunning agents are not affected.',
  flags: {
    port: textFlag('N', 'The port (default: any free port)'),
    'no-open': switchFlag('Only print the address'),
    'allow-other-users': switchFlag(
      'Also answer programs of other users of this machine. Needed where Linux\ndoes not show whose they are, for example behind some relays',
    ),
    agent: agentFlag(),
    'state-dir': stateDirFlag,
    host: textFlag('ADDRESS', 'The address to listen on (default: 127.0.0.1)'),
    'dangerously-allow-remote': switchFlag(
      'Allow a --host that other machines can reach. The connection is not encrypted:\nanyone who can read it can run commands on this machine as you',
    ),
  },
  async run(io, { values }) {
    const port = parsePort('port', values.port)
    const address = values.host ?? '127.0.0.1'
    if (!isLoopbackAddress(address) && !values['dangerously-allow-remote'])
      throw usageError(
        `${address} can be reached by other machines; this requires --dangerously-allow-remote`,
      )

    const redactor = createRedactor()
    const logger = openLog({ level: 'warn', file: undefined, redactor })
    // An unexpected error in one request must not end the others.
    io.onUnhandled((error, kind) =>
      logger.error(`an unhandled ${kind === 'error' ? 'error' : 'rejection'}`, { error: stackOf(error) }),
    )
    const ended = Promise.withResolvers<void>()
    using _ = io.onEndSignal(() => ended.resolve())
    const { openConsole } = await import('./console/open-console.ts')
    const console = await openConsole({
      pageDir: findPage(),
      stateDir: requireStateDir(io, values),
      commandFlags: [
        ...(values.agent === undefined ? [] : ['--agent', toPath(io, values.agent)]),
        ...(values['state-dir'] === undefined ? [] : ['--state-dir', toPath(io, values['state-dir'])]),
      ],
      env: io.env,
      version: agentInfo.version,
      address,
      port,
      exportServers,
      logger,
      redactor,
      isForThisUser: !values['allow-other-users'],
      agentFile: toPath(io, values.agent),
    })
    if (!isLoopbackAddress(address))
      io.stderr.write(`ostler: other machines can reach the console at ${address}\n`)
    io.stdout.write(`Ostler console: ${console.url}\n`)
    if (!values['no-open']) openBrowser(console.url, io.env)
    await ended.promise
    io.exitWithin(exitMsMax)
    await console[Symbol.asyncDispose]()
  },
})

/** Next to the built command, or in its package when run from the sources. */
function findPage(): string {
  const places = ['../page', '../../dist/page'].map((place) => join(import.meta.dirname, place))
  const page = places.find((place) => existsSync(join(place, 'index.html')))
  if (page === undefined)
    throw new OstlerError(
      'console.no_page',
      'The console page is missing from this installation. Reinstall Ostler.',
    )
  return page
}

function exportServers(servers: readonly ServerView[]): Record<string, unknown> {
  return Object.fromEntries(
    [...withVariables(servers)].map(([name, entry]) => [name, toMcpServersEntry(entry)]),
  )
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : String(error)
}
