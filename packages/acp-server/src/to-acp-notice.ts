import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { hasProblems, type ServerReport } from '@ostler/agent-api'

/** The report for editors that have a place for it; undefined when the session has no servers to speak of. */
export function toAcpNotice(report: ServerReport): SessionUpdate | undefined {
  const { connected } = report
  if (!hasProblems(report)) {
    if (connected.length === 0) return undefined
    const tools = connected.reduce((sum, server) => sum + server.tools, 0)
    const names = connected.map(({ server, tools: count }) => `${server}: ${plural(count, 'tool')}`)
    return {
      sessionUpdate: 'notice',
      severity: 'info',
      title: `${plural(connected.length, 'MCP server')} connected, ${plural(tools, 'tool')}`,
      description: names.join('\n'),
    }
  }
  const title = report.failed.length > 0 ? `${plural(report.failed.length, 'MCP server')} not available` : 'MCP servers: please note'
  return { sessionUpdate: 'notice', severity: 'warning', title, description: problemLines(report).join('\n') }
}

/** Why the agent ends, for the sessions that are open. */
export function toStartFailureNotice(reason: string): SessionUpdate {
  return { sessionUpdate: 'notice', severity: 'error', title: 'The agent does not start', description: reason }
}

/** The report for all others: a message of its own in the turn. Undefined when all is well, which needs no words there. */
export function toReportText(report: ServerReport): string | undefined {
  return hasProblems(report)
    ? `${problemLines(report)
        .map((line) => `> ${line}`)
        .join('\n')}\n\n`
    : undefined
}

function problemLines({ failed, waiting, warnings }: ServerReport): string[] {
  return [
    ...failed.map(({ server, reason }) => `MCP server "${server}" is not available: ${oneLine(reason)}`),
    ...waiting.map((server) => `MCP server "${server}" is still connecting; its tools follow when it is there.`),
    ...warnings.map(oneLine),
  ]
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
