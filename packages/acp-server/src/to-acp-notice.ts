import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ServerReport } from '@ostler/agent-api'
import {
  counted,
  hasProblems,
  showHidden,
  toMarkdownText,
  withoutRemoteImages,
} from '@ostler/agent-api/internal'

/** Fits on at most two lines in most editors. */
const reportLineCharsMax = 200

/** The report as a notice. Undefined if there are no servers to report. */
export function toAcpNotice(report: ServerReport): SessionUpdate | undefined {
  const { connected, asleep = [], remarks = [] } = report
  if (!hasProblems(report)) {
    const all = [...connected, ...asleep]
    if (all.length === 0) return undefined
    const tools = all.reduce((sum, server) => sum + server.tools, 0)
    const names = all.map(({ server, tools: count }) => oneLine(`${server}: ${counted(count, 'tool')}`))
    const others = asleep.length === 0 ? '' : `, ${asleep.length} asleep`
    return {
      sessionUpdate: 'notice',
      severity: 'info',
      title: `${counted(connected.length, 'MCP server')} connected${others}, ${counted(tools, 'tool')}`,
      description: [...names, ...remarks.map(oneLine)].join('\n'),
    }
  }
  const title =
    report.failed.length > 0
      ? `${counted(report.failed.length, 'MCP server')} not available`
      : 'MCP servers: warnings'
  const failed = report.failed.map(({ server, reason }) => oneLine(`${server}: ${reason}`))
  const lines = [...failed, ...problemLines({ ...report, failed: [] }), ...remarks.map(oneLine)]
  const description = lines.join('\n')
  return { sessionUpdate: 'notice', severity: 'warning', title, description }
}

/** Tells open sessions why the agent ends. */
export function toStartFailureNotice(reason: string): SessionUpdate {
  return { sessionUpdate: 'notice', severity: 'error', title: 'The agent cannot start', description: reason }
}

/** A server that was lost, or that has come back, while the person was doing something else. */
export function toServerNotice(server: string, failure: string | undefined, tools: number): SessionUpdate {
  return failure === undefined
    ? {
        sessionUpdate: 'notice',
        severity: 'info',
        title: returnedLine(server),
        description: counted(tools, 'tool'),
      }
    : {
        sessionUpdate: 'notice',
        severity: 'warning',
        title: oneLine(`MCP server "${server}" is not available`),
        description: oneLine(failure),
      }
}

function returnedLine(server: string): string {
  return `MCP server "${oneLine(server)}" is connected`
}

/** The report as one line of text, for editors without notices; `/mcp` shows details. Undefined if there is nothing to say. */
export function toReportText(report: ServerReport): string | undefined {
  const { failed, waiting, warnings, returned = [], remarks = [] } = report
  const said = [...returned.map((server) => `${returnedLine(server)}.`), ...remarks.map(oneLine)]
  const news = said.map((line) => `> ${toMarkdownText(line)}\n\n`).join('')
  if (!hasProblems(report)) return news === '' ? undefined : news
  const lines = problemLines({
    ...report,
    failed: failed.map(({ server, reason }) => ({ server, reason: reason.split('\n')[0] ?? '' })),
  })
  const isWhole =
    lines.length === 1 &&
    (lines[0] ?? '').length <= reportLineCharsMax &&
    !failed.some(({ reason }) => reason.includes('\n'))
  const line = lines.length === 1 ? (lines[0] ?? '') : toSummary(failed, waiting, warnings)
  return `${news}> ${toMarkdownText(shorten(line))}${isWhole ? '' : ' Details: `/mcp`.'}\n\n`
}

function toSummary(
  failed: ServerReport['failed'],
  waiting: readonly string[],
  warnings: readonly string[],
): string {
  const parts = [
    failed.length === 0 ? [] : [`not available: ${failed.map(({ server }) => oneLine(server)).join(', ')}`],
    waiting.length === 0 ? [] : [`still connecting: ${waiting.map(oneLine).join(', ')}`],
    warnings.length === 0 ? [] : [counted(warnings.length, 'warning')],
  ]
  return `MCP servers: ${parts.flat().join('; ')}.`
}

function shorten(line: string): string {
  return line.length <= reportLineCharsMax ? line : `${line.slice(0, reportLineCharsMax - 1).trimEnd()}…`
}

function problemLines({ failed, waiting, warnings }: ServerReport): string[] {
  return [
    ...failed.map(({ server, reason }) => `MCP server "${server}" is not available: ${reason}`),
    ...waiting.map(
      (server) => `MCP server "${server}" is still connecting. Its tools are added when it is connected.`,
    ),
    ...warnings,
  ].map(oneLine)
}

function oneLine(text: string): string {
  return withoutRemoteImages(showHidden(text.replace(/\s+/g, ' ').trim()))
}
