import { styleText } from 'node:util'
import { OstlerError } from '@ostler/agent-api'
import { counted, formatDuration, isRecord, messageOf, quoteWord } from '@ostler/agent-api/internal'
import { capabilitiesOf, type ServerCapabilities, type ServerView } from '@ostler/workbench'
import { defineCommand, switchFlag, usageError, yesFlag } from '../../command-line/command.ts'
import { factRows, formatTable, print, printJson } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { showProgress } from '../../terminal/show-progress.ts'
import { learnServer } from './learn-server.ts'
import { namesIn, startRows } from './server-rows.ts'
import { toToolRows } from './tool-rows.ts'
import { serverFlags, withService } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]'],
  about: 'Shows what is started, the duration of each step, and what the server offers, or why it failed.',
  flags: {
    learn: switchFlag(
      'Start it in a sandbox, show which hosts and paths it was refused, and ask whether to allow these',
    ),
    yes: { ...yesFlag, help: 'With --learn: do not ask' },
    ...serverFlags,
  },
  words: ['server', 'nothing'],
  needs: 'test needs the name of one server',
  async run(io, { values, word: name }) {
    const { json, learn, yes } = values
    if (yes && !learn) throw usageError('--yes can only be used with --learn')
    return withService(io, values, async (service, signal) => {
      const server = await service.getServer(name)
      if (!json) io.stderr.write(`${describeStart(server)}\n`)
      if (learn) return learnServer(io, values, service, server, signal)
      try {
        const line = showProgress(io.stderr, () => `Connecting to ${toShown(server.name)}`)
        const found = await service
          .server(server.id)
          .use({ signal })
          .then((connection) => capabilitiesOf(connection, signal))
          .finally(() => line[Symbol.dispose]())
        print(io, values, toReport(server, found), () => formatCapabilities(found))
        return 0
      } catch (error) {
        if (signal.aborted || !(error instanceof OstlerError)) throw error
        const { reason, output } = reasonOf(error)
        const advice = error.code === 'mcp.needs_authorization' ? adviceFor(server) : ''
        if (json) printJson(io, { ok: false, name: server.name, reason: `${reason}${advice}`, output })
        else io.stderr.write(formatFailure(server.name, `${reason}${advice}`, output))
        return 1
      }
    })
  },
})

/** The stderr output is text only, without the times of its lines. */
function toReport({ name }: ServerView, { log, ...found }: ServerCapabilities) {
  return { ok: true, name, ...found, log: { ...log, stderr: log.stderr.map(({ text }) => text) } }
}

/** Shown in full, because the person consented to exactly this when storing it. */
function describeStart(server: ServerView): string {
  const { transport, entry } = server
  const [label, pairs] = transport === 'stdio' ? ['Variables:', entry['env']] : ['Headers:', entry['headers']]
  return formatTable([...startRows(server), ...factRows([[label, namesIn(pairs)]])])
}

const authFlags: Readonly<Record<string, string>> = {
  bearer: '--auth-bearer -',
  'api-key': '--auth-api-key -',
  basic: '--auth-basic USER',
}

/** Advice for a server that refuses the credentials of its entry. */
function adviceFor({ name, entry }: ServerView): string {
  const type = isRecord(entry['auth']) ? String(entry['auth']['type']) : ''
  const flag =
    authFlags[type] ?? (Object.keys(entry['headers'] ?? {}).length > 0 ? "--header 'NAME: VALUE'" : undefined)
  return flag === undefined
    ? ''
    : `; it refuses what its entry sends. To replace that: ostler mcp update ${quoteWord(name)} ${flag}`
}

function reasonOf(error: OstlerError): { reason: string; output: string } {
  const { reason, output } = error.data
  return {
    reason: typeof reason === 'string' && reason !== '' ? reason : messageOf(error),
    output: typeof output === 'string' ? output : '',
  }
}

function formatFailure(name: string, reason: string, output: string): string {
  const lastOutput = output.trim() === '' ? '' : `${toShown(output).trimEnd().replaceAll(/^/gm, '  ')}\n`
  return `ostler: ${toShown(`${name}: ${reason}`)}\n${lastOutput}`
}

function formatCapabilities({
  server,
  phases,
  tools,
  resources,
  prompts,
  warnings,
  log,
}: ServerCapabilities): string {
  const { startMs, handshakeMs, discoveryMs } = phases
  const all = formatDuration(startMs + handshakeMs + discoveryMs)
  const parts = [
    `start ${formatDuration(startMs)}`,
    `handshake ${formatDuration(handshakeMs)}`,
    `discovery ${formatDuration(discoveryMs)}`,
  ]
  const offers = [
    counted(tools.length, 'tool'),
    counted(resources.length, 'resource'),
    counted(prompts.length, 'prompt'),
  ]
  return [
    `${styleText('green', 'Connected')} to ${toShown(`${server.name} ${server.version}`)} in ${all}: ${parts.join(', ')}`,
    `It uses MCP ${toShown(server.protocolVersion)} and offers ${offers.join(', ')}.`,
    ...(tools.length === 0 ? [] : ['', formatTable(toToolRows(tools))]),
    ...(warnings.length === 0
      ? []
      : ['', ...warnings.map((warning) => `${styleText('yellow', 'Warning:')} ${toShown(warning)}`)]),
    ...formatLog(log),
  ].join('\n')
}

function formatLog({ entries, stderr }: ServerCapabilities['log']): string[] {
  const messages = entries.map(
    ({ level, logger, text }) => `  ${level}: ${logger === undefined ? '' : `${logger}: `}${toShown(text)}`,
  )
  return [
    ...(messages.length === 0 ? [] : ['', 'It logged:', ...messages]),
    ...(stderr.length === 0
      ? []
      : ['', 'Its stderr output:', ...stderr.map(({ text }) => `  ${toShown(text)}`)]),
  ]
}
