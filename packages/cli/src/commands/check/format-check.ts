import { basename } from 'node:path'
import { styleText } from 'node:util'
import { counted, formatDuration, type AgentFileLocation, type ProcessEnd } from '@ostler/agent-api/internal'
import type {
  AgentCheck,
  CheckedBuiltinTool,
  CheckedServer,
  Explained,
  ExplainedTool,
} from '@ostler/workbench'
import {
  factRows,
  formatTable,
  headerOf,
  joinSections,
  type Cell,
  type StyledCell,
} from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { secretStoreNames } from '../mcp/server-rows.ts'

/** The output of `ostler check --json`, described in docs/configuration.md. */
export interface CheckReport extends Pick<
  AgentCheck,
  'servers' | 'secretStore' | 'builtinTools' | 'localTools' | 'problems' | 'warnings' | 'notes'
> {
  readonly ok: boolean
  readonly file: string | null
  readonly foundBy: AgentFileLocation['foundBy']
  readonly connected: boolean
  /** Null if the file cannot be used. */
  readonly agent: Pick<AgentCheck, 'name' | 'approvalMode'> | null
  /** Null if the file cannot be used. */
  readonly model: AgentCheck['model'] | null
  readonly state: StateReport
}

export interface StateReport {
  readonly directory: string | null
  /** Null if they were not checked or cannot be read. */
  readonly grants: number | null
  /** The last abnormal end of a process that used the state. */
  readonly lastFailure?: ProcessEnd
}

/** Formats the report for a person. Problems that prevent the start are printed to stderr. */
export function formatCheck(report: CheckReport): string {
  return joinSections([
    formatTable(headRows(report)),
    report.servers.length === 0 ? '' : formatTable(serverRows(report)),
    ...report.servers.flatMap(({ name, tools }) =>
      tools.length === 0 ? [] : [formatTools(name, tools, report.file)],
    ),
    report.builtinTools.length === 0 ? '' : formatBuiltinTools(report),
    report.localTools.length === 0 ? '' : formatTools('Local tools', report.localTools, report.file),
    report.servers.flatMap(failureOf).join('\n'),
    report.warnings
      .map((warning) => `${styleText('yellow', 'Warning:')} ${toShown(withoutFolder(warning, report.file))}`)
      .join('\n'),
    report.notes.map((note) => `Note: ${toShown(withoutFolder(note, report.file))}`).join('\n'),
    verdict(report),
  ])
}

const foundBy: Readonly<Record<CheckReport['foundBy'], string>> = {
  flag: 'named by --agent',
  OSTLER_AGENT: 'named by OSTLER_AGENT',
  default: 'default location',
  none: 'not found',
}

function headRows({ file, foundBy: how, agent, model, state, secretStore }: CheckReport): string[][] {
  const held = [
    'Agent file:',
    file === null ? `${foundBy[how]}; using the built-in agent` : `${file} (${foundBy[how]})`,
  ]
  if (agent === null) return [held]
  const { lastFailure } = state
  const store = secretStore?.kind
  const grants = state.grants === null ? '' : ` (${counted(state.grants, 'grant')})`
  return [
    held,
    ['Agent:', agent.name],
    ...factRows([
      ['Model:', model?.id && `${model.id}${model.ready ? '' : ` (not usable: ${model.reason ?? ''})`}`],
      ['Approval:', agent.approvalMode],
      ['State:', state.directory === null ? 'none' : `${state.directory}${grants}`],
      ['Last failure:', lastFailure && `${lastFailure.at} ${toShown(lastFailure.reason)}`],
      [
        'Secrets:',
        store && `in ${secretStoreNames[store]}${store === 'memory' ? ', until Ostler ends' : ''}`,
      ],
    ]),
  ]
}

function serverRows({ servers, connected }: CheckReport): Cell[][] {
  const header = headerOf('SERVER', 'MODE', 'STATUS', ...(connected ? ['TIME', 'TOOLS'] : []), 'RUNS')
  return [
    header,
    ...servers.map((server) => [
      server.source === 'stored' ? `${server.name} (stored)` : server.name,
      server.mode,
      stateCells[server.state],
      ...(connected
        ? [
            server.connectMs === undefined ? '' : formatDuration(server.connectMs),
            server.state === 'connected' ? String(server.tools.length) : '',
          ]
        : []),
      server.origin,
    ]),
  ]
}

const stateCells: Readonly<Record<CheckedServer['state'], Cell>> = {
  connected: { text: 'connected', style: 'green' },
  failed: { text: 'failed', style: 'red' },
  disabled: { text: 'disabled', style: 'dim' },
  unused: { text: 'not used', style: 'dim' },
  'not-connected': 'not connected',
}

const verdicts: Readonly<Record<CheckedBuiltinTool['call'], StyledCell>> = {
  allow: { text: 'allowed', style: 'green' },
  ask: { text: 'asked about', style: 'yellow' },
  deny: { text: 'denied', style: 'red' },
  off: { text: 'switched off', style: 'dim' },
}

/** The verdict on a call inside the session's directories, before any answers of the person. */
function formatBuiltinTools({ builtinTools, file }: CheckReport): string {
  const rows = builtinTools.map(({ name, call, rule, place }): Cell[] => [
    name,
    verdicts[call],
    place === undefined ? rule : `${rule}, ${toLine(withoutFolder(place, file))}`,
  ])
  return formatTable([headerOf('BUILT-IN TOOL', 'CALLS ARE', 'BY'), ...rows])
}

/** Sources are numbered, because many tools share a few of them. */
function formatTools(title: string, tools: readonly ExplainedTool[], file: string | null): string {
  const sources: string[] = []
  const withSource = ({ source, place }: Explained<unknown>, shown: string) => {
    const name = place === undefined ? source : `${source}, ${toLine(withoutFolder(place, file))}`
    if (!sources.includes(name)) sources.push(name)
    return `${shown} [${sources.indexOf(name) + 1}]`
  }
  const rows = tools.map(({ name, maxInstances, timeoutMs, include, approval }) => [
    name,
    withSource(maxInstances, String(maxInstances.value)),
    withSource(timeoutMs, formatDuration(timeoutMs.value)),
    withSource(include, include.value),
    withSource(approval, approval.value ?? 'by mode'),
  ])
  const header = headerOf('TOOL', 'MAX INSTANCES', 'TIMEOUT', 'INCLUDE', 'APPROVAL')
  return [
    styleText('bold', toShown(title)),
    formatTable([header, ...rows], '  '),
    ...sources.map((source, index) => `  [${index + 1}] ${toShown(source)}`),
  ].join('\n')
}

function failureOf({ name, state, reason, required }: CheckedServer): string[] {
  // A failed required server is listed among the problems.
  return state === 'failed' && !required
    ? [`${styleText('red', 'Failed:')} ${toShown(`${name}: ${reason ?? ''}`)}`]
    : []
}

function verdict({ ok, problems, connected, servers }: CheckReport): string {
  if (!ok) return styleText('red', `The agent would not start: ${counted(problems.length, 'problem')}.`)
  const isUntried = !connected && servers.some(({ state }) => state === 'not-connected')
  return `${styleText('green', 'The agent would start.')}${isUntried ? ' Its servers were not started; --connect starts them and shows their tools.' : ''}`
}

/** The file's full path is printed at the top. */
function withoutFolder(text: string, file: string | null): string {
  return file === null ? text : text.replaceAll(`${file}:`, `${basename(file)}:`)
}

/** Columns are only for programs. */
function toLine(place: string): string {
  return place.replace(/(:\d+):\d+$/, '$1')
}
