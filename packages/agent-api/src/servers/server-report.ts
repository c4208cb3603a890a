import type { McpClient, McpStatus } from '../mcp/mcp-client.ts'
import type { ServerReport } from '../messages/turn-event.ts'

interface ReportSources {
  readonly clients: ReadonlyMap<
    string,
    Pick<McpClient, 'name' | 'status' | 'failure' | 'tools' | 'isAnticipated'>
  >
  readonly rejected: readonly { readonly server: string; readonly reason: string }[]
  readonly notes: readonly string[]
  readonly remarks?: readonly string[]
}

export function toServerReport({ clients, rejected, notes, remarks = [] }: ReportSources): ServerReport {
  const all = [...clients.values()]
  const counted = (clients: typeof all) =>
    clients.map(({ name, tools }) => ({ server: name, tools: tools.length }))
  const isIn = (state: McpStatus['state']) => all.filter(({ status }) => status.state === state)
  const { known = [], unknown = [] } = Object.groupBy(
    isIn('connecting').filter(({ failure }) => failure === undefined),
    ({ isAnticipated }) => (isAnticipated ? 'known' : 'unknown'),
  )
  return {
    connected: counted(isIn('connected')),
    waiting: unknown.map(({ name }) => name),
    anticipated: counted(known),
    asleep: counted(isIn('idle')),
    // A server that is being retried counts as failed until it has connected.
    failed: [
      ...rejected,
      ...all.flatMap(({ name, failure }) =>
        failure === undefined ? [] : { server: name, reason: failure.message },
      ),
    ],
    warnings: [
      ...notes,
      ...all.flatMap(({ name, status }) =>
        status.state === 'connected' ? status.warnings.map((warning) => `${name}: ${warning}`) : [],
      ),
    ],
    ...(remarks.length > 0 && { remarks }),
  }
}

/** False if there is nothing to report. */
export function hasProblems(report: ServerReport): boolean {
  return report.waiting.length > 0 || report.failed.length > 0 || report.warnings.length > 0
}
