import type { LiveServer, ServerView } from '../../../api.ts'
import { toCommandLine } from '../../text/command-line.ts'
import { AgentFailures } from './agent-state.tsx'
import { ConnectionProblem } from './connection-problem.tsx'
import { toConnectionWords, toLiveWords } from './connection-words.ts'

interface ServerDetailsProps {
  readonly server: ServerView
  /** Its state in the running agents. */
  readonly used: readonly LiveServer[]
}

/** The command line or URL of a server, and its problems: those in the agents first, then those of this console. */
export function ServerDetails({ server, used }: ServerDetailsProps) {
  // Usually the agents have the same problem.
  const own = toConnectionWords(server.status)
  const isKnown = used.some((running) => toLiveWords(running).reason === own.reason)
  return (
    <>
      <pre class="command" tabIndex={0} aria-label={server.transport === 'stdio' ? 'Command line' : 'URL'}>
        {toCommandLine(server.entry, server.secrets)}
      </pre>
      <AgentFailures used={used} />
      {!isKnown && <ConnectionProblem of="This console" {...own} />}
      {server.status.warnings?.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
    </>
  )
}
