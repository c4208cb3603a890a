import type { LiveServer, ServerView } from '../../../api.ts'
import { Status } from '../../parts/status.tsx'
import { toCommandLine } from '../../text/command-line.ts'
import { toSentence } from '../../text/to-sentence.ts'
import { type ConnectionWords, toAgentWords, toProblems } from './connection-words.ts'

interface ServerDetailsProps {
  server: ServerView
  used: readonly LiveServer[]
}

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

export function AgentState({ used }: Pick<ServerDetailsProps, 'used'>) {
  const { tone, text } = toAgentWords(used)
  return <Status tone={tone}>{text}</Status>
}

type ConnectionProblemProps = Pick<ConnectionWords, 'reason' | 'more'> & { of?: string }

export function ConnectionProblem({ reason, more, of }: ConnectionProblemProps) {
  if (reason === undefined) return null
  return (
    <>
      <p class="server-error">
        {of !== undefined && `${of}: `}
        {toSentence(reason)}
      </p>
      {more !== undefined && (
        <details class="server-output">
          <summary>Last output</summary>
          <pre tabIndex={0}>{more}</pre>
        </details>
      )}
    </>
  )
}
