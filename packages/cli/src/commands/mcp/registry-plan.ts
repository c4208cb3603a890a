import { delimiter, join } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import { isProgram, quoteWord } from '@ostler/agent-api/internal'
import type { RegistryServer, RegistryWay, Template } from '@ostler/workbench'
import { usageError } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { factRows, formatTable } from '../../terminal/print.ts'
import { toSafeLine } from '../../terminal/safe-text.ts'
import { toFlag } from './registry-answers.ts'

type Machine = Pick<Io, 'env' | 'platform'>

/** The way that a person named, or the first one whose program is on this machine. */
export function chooseWay(server: RegistryServer, id: string | undefined, machine: Machine): RegistryWay {
  const { name, version, status, ways, refused } = server
  if (status === 'deleted')
    throw new OstlerError('registry.unusable', `${name} ${version} was deleted from its registry.`)
  const [first] = ways
  if (first === undefined) {
    const reasons = refused
      .map(({ label, reason }) => `  ${toSafeLine(label)}: ${toSafeLine(reason)}`)
      .join('\n')
    throw new OstlerError(
      'registry.unusable',
      reasons === '' ? `${name} has no package and no URL.` : `Ostler cannot run ${name}:\n${reasons}`,
    )
  }
  const chosen =
    id === undefined
      ? (ways.find((way) => missingProgram(way, machine) === undefined) ?? first)
      : ways.find((way) => way.id === id)
  if (chosen === undefined) throw usageError(`--use must be one of ${ways.map((way) => way.id).join(', ')}`)
  return chosen
}

/** The program of a way, if it is not on the PATH. */
export function missingProgram({ launch }: RegistryWay, { env, platform }: Machine): string | undefined {
  if (launch.type !== 'stdio') return undefined
  const names = platform === 'win32' ? [`${launch.command}.exe`, `${launch.command}.cmd`] : [launch.command]
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => names.some((name) => isProgram(join(folder, name))))
    ? undefined
    : launch.command
}

/** The facts that a person needs to decide: who wrote the server, what would run, and what it asks for. Contains no values. */
export function toReport(server: RegistryServer, way: RegistryWay, machine: Machine) {
  const { ways, ...rest } = server
  const isLocal = way.launch.type === 'stdio'
  const launch = formatLaunch(way)
  return {
    ...rest,
    ways: ways.map(({ id, label }) => ({ id, label })),
    use: way.id,
    runs: isLocal ? launch : undefined,
    url: isLocal ? undefined : launch,
    missing: missingProgram(way, machine),
    inputs: way.inputs.map((input) => ({ ...input, flag: toFlag(input) })),
    notes: way.notes,
  }
}

export function formatReport(report: ReturnType<typeof toReport>): string {
  const { title, status, statusMessage, missing, ways, use } = report
  const others = ways.filter(({ id }) => id !== use)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Server', `${report.name} ${report.version}${title === undefined ? '' : ` - ${title}`}`],
    ['About', report.description],
    ['Source', report.repositoryUrl],
    ['Website', report.websiteUrl],
    [
      'Status',
      status === 'active' ? undefined : `${status}${statusMessage === undefined ? '' : `: ${statusMessage}`}`,
    ],
    ['Runs', report.runs],
    ['Connects to', report.url],
    ['Missing', missing && `${missing} is not on your PATH; the server needs it`],
    ...report.notes.map((note) => ['Note', note] as const),
    ...others.map(({ id, label }) => ['Also', `${label}: --use ${id}`] as const),
    ...report.refused.map(({ label, reason }) => ['Not', `${label}: ${reason}`] as const),
  ]
  const shown = facts.map(
    ([label, text]) => [{ text: label, style: 'bold' }, text && toSafeLine(text)] as const,
  )
  return `${formatTable(factRows(shown))}\n`
}

/** The command line or URL, with `<NAME>` for each requested value. `[...]` is left out without its value. */
function formatLaunch({ launch, inputs }: RegistryWay): string {
  const inputOf = (id: string) => inputs.find((input) => input.id === id)
  const isOptional = (id: string) => {
    const input = inputOf(id)
    return input?.isRequired !== true && input?.preset === undefined
  }
  const show = (template: Template) =>
    template
      .map((part) => (typeof part === 'string' ? part : `<${inputOf(part.input)?.label ?? part.input}>`))
      .join('')
  if (launch.type !== 'stdio') return show(launch.url)
  const words = launch.args.map(({ words: each, needs = [] }) => {
    const ids = each.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.input]))
    const text = each.map((word) => quote(show(word), word)).join(' ')
    return [...ids, ...needs].some(isOptional) ? `[${text}]` : text
  })
  return [launch.command, ...words].join(' ')
}

/** Quotes only fixed words, so that `<NAME>` stays readable. */
function quote(text: string, word: Template): string {
  return word.every((part) => typeof part === 'string') ? quoteWord(text) : text
}
