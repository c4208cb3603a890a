import { counted } from '@ostler/agent-api/browser'
import type { SessionPage, SessionSummary } from '../../../api.ts'
import { useState } from 'preact/hooks'
import { request } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { focusAfterDialog, moveFocus } from '../../parts/move-focus.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/form.tsx'
import { Status } from '../../parts/status.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { Time } from '../../parts/time.tsx'
import { toPath, sessionPath } from '../../route.ts'
import { toSearch } from '../../text/search.ts'
import { DeleteSession } from './delete-session.tsx'

export function SessionsPage() {
  const loaded = useLoaded<SessionPage>('/api/sessions', 'sessions')
  const [search, setSearch] = useState('')
  const [asked, setAsked] = useState<SessionSummary>()
  const [deleted, setDeleted] = useState<readonly string[]>([])
  return (
    <PageFrame title="Sessions" about="Conversations from your editors.">
      <Loading of={loaded}>
        {(page) => (
          <>
            {page.sessions.length > 0 && (
              <SearchField label="Search sessions" value={search} onInput={setSearch} />
            )}
            {page.sessions.length === 0 && (
              <Empty title="No sessions yet">
                <p>
                  Run <code>ostler editor</code> to set up your editor, then start a chat there.
                </p>
              </Empty>
            )}
            <SessionList first={page} search={search} deleted={deleted} onDelete={setAsked} />
          </>
        )}
      </Loading>
      {asked !== undefined && (
        <DeleteSession
          session={asked}
          onClose={() => setAsked(undefined)}
          onDeleted={() => {
            setAsked(undefined)
            setDeleted([...deleted, asked.id])
            loaded.reload()
            focusAfterDialog('h1')
          }}
        />
      )}
    </PageFrame>
  )
}

interface SessionListProps {
  first: SessionPage
  search: string
  deleted: readonly string[]
  onDelete: (session: SessionSummary) => void
}

function SessionList({ first, search, deleted, onDelete }: SessionListProps) {
  /** All sessions loaded so far, once older ones were loaded. It stays while the first page changes. */
  const [kept, setKept] = useState<SessionPage>()
  const { attempt, failure } = useAttempt()
  const { next } = kept ?? first
  const all = unique([...first.sessions, ...(kept?.sessions ?? [])]).filter(({ id }) => !deleted.includes(id))
  const isFound = toSearch(search)
  const found = all.filter(({ title, cwd, id }) => isFound(title ?? undefined, cwd, id))
  const load = async (after: string) => {
    const page = await attempt(() => request<SessionPage>(toPath('/api/sessions', { after })))
    if (page !== undefined)
      setKept((last) => ({
        ...page,
        sessions: [...first.sessions, ...(last?.sessions ?? []), ...page.sessions],
      }))
  }
  return (
    <>
      {all.length > 0 && found.length === 0 && <Empty title={`No session matches “${search}”`} />}
      {found.length > 0 && (
        <ul class="rows session-list" aria-label="Sessions" onKeyDown={(event) => moveFocus(event, 'a')}>
          {found.map((session) => (
            <li key={session.id} class="row">
              <div class="row-main">
                <Link to={sessionPath(session.id)} class="session-title">
                  {session.title ?? 'Untitled'}
                </Link>
                {first.open.includes(session.id) && <Status tone="good">Open now</Status>}
                <span class="spacer" />
                {!first.open.includes(session.id) && (
                  <button
                    type="button"
                    class="button-small button-danger-quiet"
                    aria-label={`Delete ${session.title ?? session.id}`}
                    onClick={() => onDelete(session)}
                  >
                    Delete
                  </button>
                )}
              </div>
              <p class="muted">
                <Time at={session.updatedAt} />
                {` · ${counted(session.turns, 'turn')} · `}
                <span class="mono">{session.cwd}</span>
                {session.model !== null && ` · ${session.model}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Failure failure={failure} />
      {next !== undefined && (
        <button type="button" class="older" onClick={() => void load(next)}>
          Load older
        </button>
      )}
    </>
  )
}

/** A session that was used again appears twice. The first copy is the newer one. */
function unique(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const ids = sessions.map(({ id }) => id)
  return sessions.filter(({ id }, index) => ids.indexOf(id) === index)
}
