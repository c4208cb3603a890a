import type { McpClient } from '../mcp/mcp-client.ts'
import type { ServerReport } from '../messages/turn-event.ts'

interface ReportSources {
  readonly clients: ReadonlyMap<
    string,
    Pick<McpClient, 'name' | 'status' | 'failure' | 'tools' | 'isAnticipated'>
  >
  readonly rejected: readonly { readonly server: string; readonly reason: string }[]
  readonly notes: readonly string[]
}

export function toServerReport({ clients, rejected, notes }: ReportSources): ServerReport {
  const all = [...clients.values()]
  const connected = all.filter((client) => client.status.state === 'connected')
  return {
    connected: connected.map((client) => ({ server: client.name, tools: client.tools.length })),
    waiting: all
      .filter(
        ({ status, failure, isAnticipated }) =>
          status.state === 'connecting' && failure === undefined && !isAnticipated,
      )
      .map(({ name }) => name),
    anticipated: all
      .filter(({ isAnticipated }) => isAnticipated)
      .map(({ name, tools }) => ({ server: name, tools: tools.length })),
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
  }
}

/** False if there is nothing to report. */
export function hasProblems(report: ServerReport): boolean {
  return report.waiting.length > 0 || report.failed.length > 0 || report.warnings.length > 0
}
