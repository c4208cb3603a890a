import type { LiveServer, ServerView } from '../../../api.ts'
import { toCommandLine } from '../../text/command-line.ts'
import { AgentFailures } from './agent-state.tsx'
import { toConnectionWords } from './connection-words.ts'

interface ServerDetailsProps {
  readonly server: ServerView
  /** Its state in the running agents. */
  readonly used: readonly LiveServer[]
}

/** The command line or URL of a server, and its problems: those in the agents first, then those of this console. */
export function ServerDetails({ server, used }: ServerDetailsProps) {
  const { reason, more } = toConnectionWords(server.status)
  return (
    <>
      <pre class="command" tabIndex={0} aria-label={server.transport === 'stdio' ? 'Command line' : 'URL'}>
        {toCommandLine(server.entry, server.secrets)}
      </pre>
      <AgentFailures used={used} />
      {reason !== undefined && <p class="server-error">This console: {reason}</p>}
      {more !== undefined && (
        <details class="server-output">
          <summary>Last output</summary>
          <pre tabIndex={0}>{more}</pre>
        </details>
      )}
      {server.status.warnings?.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
    </>
  )
}
