import type { LiveServer } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { counted } from '../../text/quantities.ts'
import { ConnectionProblem } from './connection-problem.tsx'
import { toLiveWords } from './connection-words.ts'
import { transportNames } from './transport-names.ts'

/** The servers that running agents use now: their own and those of editors. Read-only. */
export function LiveServers({ servers }: { readonly servers: readonly LiveServer[] }) {
  return (
    <ul class="rows" aria-label="Servers in use now">
      {servers.map((server) => {
        const { tone, word, ...problem } = toLiveWords(server)
        return (
          <li key={`${server.sessionId ?? ''}/${server.name}/${server.owner}`} class="row">
            <div class="row-main">
              <strong>{server.name}</strong>
              <span class="badge">{transportNames[server.transport]}</span>
              <Status tone={tone}>{word}</Status>
            </div>
            <p class="mono wrap muted">{server.origin}</p>
            <ConnectionProblem {...problem} />
            <p class="muted">
              {server.owner === 'agent' ? `Used by the agent ${server.agent}` : 'Added by the editor'}
              {server.sessionId !== null && (
                <>
                  {', in '}
                  <Link to={`/sessions/${encodeURIComponent(server.sessionId)}`}>{server.sessionTitle ?? 'Untitled session'}</Link>
                </>
              )}
              {` · ${counted(server.tools, 'tool')}, ${counted(server.prompts, 'prompt')}`}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
