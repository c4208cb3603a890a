import { OstlerError } from '@ostler/agent-api'
import { messageOf, counted } from '@ostler/agent-api/internal'
import { type ImportSource, type ServerList, listedPrograms, serverListFormats } from '@ostler/workbench'
import {
  defineCommand,
  oneOf,
  switchFlag,
  textFlag,
  usageError,
  yesFlag,
  type Flags,
  type FlagValues,
} from '../../command-line/command.ts'
import type { Environment, Io } from '../../terminal/io.ts'
import { askSecret, askText, confirm, hasPerson } from '../../terminal/ask.ts'
import { formatList, headerOf, joinSections, printJson, say, warn, type Cell } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { namesOf, notesOf, toPlan, withInputs, type ImportPlan } from './import-plan.ts'
import { readProgram, readSource } from './import-sources.ts'
import { placeFlags, withServers } from './with-servers.ts'

const flags = {
  from: textFlag('PROGRAM', `Read the settings of this program: ${listedPrograms.join(', ')}`, {
    completion: listedPrograms,
  }),
  format: textFlag('FORMAT', `The format of FILE: ${serverListFormats.join(', ')} (default: detected)`, {
    completion: serverListFormats,
  }),
  only: textFlag('NAME', 'Import only this server', { multiple: true }),
  yes: yesFlag,
  json: switchFlag('Print a preview as JSON, and store nothing; with --yes, store the servers'),
  ...placeFlags,
} as const satisfies Flags

type Values = FlagValues<typeof flags>

export const command = defineCommand({
  synopsis: ['FILE [options]', `--from <${listedPrograms.join('|')}> [options]`],
  about: `Reads servers from the settings of another program, shows what would be stored, and asks. Nothing is started.
FILE may be - for standard input.`,
  flags,
  words: ['file', 'nothing'],
  async run(io, { values, words }) {
    const { yes, json } = values
    const read = toReader(io, values, words)
    const mayAsk = !yes && !json && words[0] !== '-' && hasPerson(io)
    const isUnasked = !yes && !json && !mayAsk
    const unasked = () => usageError('without a terminal, import needs --yes, or --json for a preview')
    // Report errors in a file first, but do not make a person type the input needlessly.
    if (isUnasked && words[0] === '-') throw unasked()
    const sources = await read()
    if (isUnasked) throw unasked()
    return withServers(io, values, async (list) => {
      const found = toPlan(sources, await list.listServers(), values.only)
      refuseUnknown(values.only, found)
      const plan = mayAsk ? found : withInputs(found, defaultsOf(found))
      if (!json) sayPlan(io, sources, plan)
      if (plan.servers.length === 0 || (json && !yes)) {
        if (json) printJson(io, toReport(sources, plan, []))
        return 0
      }
      const question = `Store ${counted(plan.servers.length, 'server')}? Nothing is started.`
      if (mayAsk && !(await confirm(question, 'Nothing was stored.', io))) return 1
      const whole = mayAsk ? withInputs(plan, await askInputs(io, plan)) : plan
      for (const change of changesSince(whole, plan)) warn(io, change)
      const stored = await store(io, list, whole)
      if (json) printJson(io, toReport(sources, whole, stored))
      else if (stored.length > 0) say(io, `Stored ${stored.join(', ')}.`)
      return stored.length === whole.servers.length ? 0 : 1
    })
  },
})

/** Validates the whole command line before anything is read. */
function toReader(
  io: Io,
  { from, format: named }: Values,
  words: readonly string[],
): () => Promise<readonly ImportSource[]> {
  const [file, ...others] = words
  if ((file === undefined) === (from === undefined) || others.length > 0)
    throw usageError('import needs a FILE or --from')
  const program = oneOf('from', from, listedPrograms)
  const format = oneOf('format', named, serverListFormats)
  return async () =>
    program === undefined ? [await readSource(io, file ?? '-', format)] : readProgram(io, program)
}

function refuseUnknown(only: readonly string[] | undefined, { servers, skipped }: ImportPlan): void {
  const unknown =
    only?.filter((name) => ![...servers, ...skipped].some((server) => server.name === name)) ?? []
  if (unknown.length > 0)
    throw new OstlerError('import.unknown', `It has no server ${toShown(unknown.join(', '))}.`)
}

function sayPlan({ env, stdout, stderr }: Io, sources: readonly ImportSource[], plan: ImportPlan): void {
  for (const { path, list } of sources) {
    stderr.write(`From ${toShown(path)}\n`)
    for (const note of list.notes) stderr.write(`  ${toShown(note)}\n`)
  }
  stdout.write(formatPlan(plan, env))
}

function formatPlan({ servers, skipped, inputs }: ImportPlan, env: Environment): string {
  const header = headerOf('NAME', 'TRANSPORT', 'RUNS', 'VARIABLES', 'SECRETS')
  const rows = servers.map((server): Cell[] => [
    server.name,
    `${String(server.entry['type'])}${server.entry['enabled'] === false ? ', disabled' : ''}`,
    server.origin,
    namesOf(server).join(' '),
    server.secrets.join(' '),
  ])
  const notes = servers.flatMap((server) =>
    notesOf(server, inputs, env).map((note) => `${toShown(server.name)}: ${note}`),
  )
  const left = skipped.map(({ name, reason }) => toShown(`Skipped ${name}: ${reason}`).replaceAll('\n', ' '))
  return joinSections([
    formatList([header, ...rows], 'Nothing to import.'),
    notes.join('\n'),
    left.join('\n'),
  ])
}

function defaultsOf({ inputs }: ImportPlan): Record<string, string> {
  return Object.fromEntries(
    inputs.flatMap(({ id, default: preset }) => (preset === undefined ? [] : [[id, preset]])),
  )
}

/** An empty answer selects the default, if there is one. */
async function askInputs(io: Io, { inputs }: ImportPlan): Promise<Record<string, string>> {
  const values: [string, string][] = []
  for (const { id, description, isSecret, default: preset } of inputs) {
    const question = `${description ?? id}${preset === undefined ? '' : ` [${preset}]`}`
    const answer = isSecret ? await askSecret(question, io) : await askText(question, io)
    const value = answer || preset
    if (value !== undefined) values.push([id, value])
  }
  return Object.fromEntries(values)
}

function changesSince(now: ImportPlan, shown: ImportPlan): readonly string[] {
  const notes = now.servers.flatMap(({ name, notes: all }) => {
    const known = shown.servers.find((server) => server.name === name)?.notes ?? []
    return all.filter((note) => !known.includes(note)).map((note) => `${name}: ${note}`)
  })
  return [
    ...now.skipped.slice(shown.skipped.length).map(({ name, reason }) => `${name} was not stored: ${reason}`),
    ...notes,
  ]
}

async function store(io: Io, list: ServerList, { servers }: ImportPlan): Promise<readonly string[]> {
  const stored: string[] = []
  for (const { name, entry, secret } of servers) {
    try {
      await list.addServer({ name, entry, secret })
      stored.push(name)
    } catch (error) {
      if (!(error instanceof OstlerError)) throw error
      warn(io, `${name} was not stored: ${messageOf(error)}`)
    }
  }
  return stored
}

/** Contains no values. */
function toReport(
  sources: readonly ImportSource[],
  { servers, skipped, inputs }: ImportPlan,
  stored: readonly string[],
) {
  return {
    sources: sources.map(({ path, list }) => ({ path, format: list.format, notes: list.notes })),
    servers: servers.map((server) => ({
      name: server.name,
      transport: server.entry['type'],
      enabled: server.entry['enabled'] !== false,
      origin: server.origin,
      names: namesOf(server),
      secrets: server.secrets,
      variables: server.variables,
      inputs: server.inputs,
      notes: server.notes,
    })),
    skipped,
    inputs,
    stored,
  }
}
