import type { LiveServer, ServerView } from '../../../api.ts'
import { toCommandLine } from '../../text/command-line.ts'
import { toProblems } from './agent-words.ts'
import { ConnectionProblem } from './connection-problem.tsx'

interface ServerDetailsProps {
  readonly server: ServerView
  /** Its state in the running agents. */
  readonly used: readonly LiveServer[]
}

/** The command line or URL of a server, and its problems: those in the agents first, then those of this console. */
export function ServerDetails({ server, used }: ServerDetailsProps) {
  return (
    <>
      <pre class="command" tabIndex={0} aria-label={server.transport === 'stdio' ? 'Command line' : 'URL'}>
        {toCommandLine(server.entry, server.secrets)}
      </pre>
      {toProblems(server.status, used).map((problem) => (
        <ConnectionProblem key={problem.reason ?? ''} {...problem} />
      ))}
      {server.status.warnings?.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
    </>
  )
}
