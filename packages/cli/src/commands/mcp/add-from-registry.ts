import { OstlerError } from '@ostler/agent-api'
import {
  officialRegistry,
  shortName,
  toServerDraft,
  type RegistryServer,
  type RegistryWay,
  type ServerList,
} from '@ostler/workbench'
import {
  defineCommand,
  switchFlag,
  textFlag,
  usageError,
  yesFlag,
  type Flags,
} from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { askText, confirm, hasPerson } from '../../terminal/ask.ts'
import { formatTable, printJson } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { answered, answersOf, askInputs, refuse } from './registry-answers.ts'
import { chooseWay, formatReport, missingProgram, toReport } from './registry-plan.ts'
import { needsName, readRegistryServer } from './registry-source.ts'
import { sayStored } from './store-server.ts'
import { placeFlags, withServers } from './with-servers.ts'

const flags = {
  from: textFlag(
    'URL|FILE',
    `Another registry (default: ${officialRegistry}), or a server.json; - is standard input`,
    {
      completion: 'file',
    },
  ),
  version: textFlag('VERSION', 'This version of the server (default: the latest)'),
  use: textFlag('WAY', 'One of the ways to run it: http, npm, pypi, oci, nuget, sse'),
  name: textFlag('NAME', 'Its name in Ostler (default: the last part of its name)'),
  input: textFlag(
    'NAME[=VALUE]',
    'A value that it asks for; without the value, the variable of this name where the agent starts',
    { multiple: true },
  ),
  yes: yesFlag,
  json: switchFlag('Print a preview as JSON, and store nothing; with --yes, store the server'),
  ...placeFlags,
} as const satisfies Flags

export const command = defineCommand({
  synopsis: ['NAME [options]', '--from FILE [options]'],
  about: `Stores a server of an MCP registry: shows what it runs and what it needs, asks for that, and asks for confirmation.
Nothing is started.`,
  flags,
  words: ['nothing'],
  more: `Examples:
  ostler mcp add-from-registry io.github.example/weather
  ostler mcp add-from-registry io.github.example/weather --use npm --input WEATHER_API_KEY --yes
  ostler mcp add-from-registry --from ./server.json`,
  async run(io, { values, words }) {
    const [wanted, ...others] = words
    if (others.length > 0) throw usageError(`unexpected argument '${others[0]}'`)
    if (wanted === undefined && values.from === undefined) throw usageError(`${needsName}, or --from`)
    const { yes, json } = values
    const mayAsk = !yes && !json && values.from !== '-' && hasPerson(io)
    if (!yes && !json && !mayAsk)
      throw usageError('without a terminal, add-from-registry needs --yes, or --json for a preview')
    return withServers(io, values, async (list, signal) => {
      const server = await readRegistryServer(
        io,
        { name: wanted, from: values.from, version: values.version },
        signal,
      )
      const name = values.name ?? shortName(server)
      const way = mayAsk ? await askWay(io, server, values.use) : chooseWay(server, values.use, io)
      const given = answersOf(way, values.input)
      const report = toReport(server, way, io)
      if (json && !yes) return printJson(io, report)
      if (!json) io.stderr.write(formatReport(report))
      await refuseTaken(list, name)
      const answers = mayAsk ? await askInputs(io, server, way, given) : given
      const draft = toServerDraft(server, way, answers, name)
      if ('problems' in draft) throw refuse(way, draft.problems)
      const { entry, secret, origin } = draft.server
      if (!json)
        io.stderr.write(`${toShown(`${entry['type'] === 'stdio' ? 'Command' : 'URL'}: ${origin}`)}\n`)
      const question = `Store it as '${name}'? Nothing is started.`
      if (mayAsk && !(await confirm(question, 'Nothing was stored.', io))) return 1
      return sayStored(io, list, await list.addServer({ name, entry, secret }), { what: 'Stored', json })
    })
  },
})

/** Asks only if there is a choice. */
async function askWay(io: Io, server: RegistryServer, use: string | undefined): Promise<RegistryWay> {
  const preset = chooseWay(server, use, io)
  if (use !== undefined || server.ways.length === 1) return preset
  const rows = server.ways.map((way) => [
    `  ${way.id}`,
    way.label,
    missingProgram(way, io) === undefined ? '' : 'not installed here',
  ])
  io.stderr.write(`Ways to run ${server.name}:\n${formatTable(rows)}\n`)
  for (;;) {
    const answer = answered(await askText(`Which one [${preset.id}]`, io)).trim()
    const chosen = answer === '' ? preset : server.ways.find(({ id }) => id === answer)
    if (chosen !== undefined) return chosen
  }
}

/** Checked first, so that a person does not answer questions needlessly. */
async function refuseTaken(list: ServerList, name: string): Promise<void> {
  const servers = await list.listServers()
  if (servers.some((server) => server.name === name && server.origin === 'stored'))
    throw new OstlerError(
      'servers.name_taken',
      `There is a stored server '${name}'. Choose another name with --name.`,
    )
}
