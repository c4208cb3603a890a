import { useState } from 'preact/hooks'
import type { SessionDetail } from '../../../api.ts'
import { useLiveReload } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Time } from '../../parts/time.tsx'
import { navigate, toPath } from '../../route.ts'
import { counted } from '../../text/quantities.ts'
import { DeleteSession } from './delete-session.tsx'
import { Turn } from './turn.tsx'

export function SessionDetailPage({ id }: { readonly id: string }) {
  const loaded = useLoaded<SessionDetail>(`/api/sessions/${encodeURIComponent(id)}`)
  useLiveReload('sessions', loaded.reload)
  const [isDeleting, setDeleting] = useState(false)
  const session = loaded.data?.session
  return (
    <PageFrame
      title={session === undefined ? 'Session' : (session.title ?? 'Untitled session')}
      actions={
        <>
          <button type="button" onClick={loaded.reload}>
            Refresh
          </button>
          {session !== undefined && (
            <button type="button" class="button-danger-quiet" onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
        </>
      }
    >
      <p class="back">
        <Link to="/sessions">All sessions</Link>
      </p>
      <Loading of={loaded}>
        {({ session, turns, calls }) => (
          <>
            <p class="muted wrap session-facts">
              <Time at={session.createdAt} />
              {` · ${counted(session.turns, 'turn')} · `}
              <span class="mono">{session.cwd}</span>
              {session.model !== null && ` · ${session.model}`}
              {session.mode !== null && ` · ${session.mode}`}
              {' · '}
              <Link to={toPath('/calls', { session: session.id })}>{counted(calls.length, 'call')}</Link>{' '}
              <CopyButton label="Copy ID" text={() => session.id} />
            </p>
            {turns.length === 0 && <Empty title="This session has no messages yet" />}
            <div class="transcript">
              {turns.map((turn) => (
                <Turn key={turn.turn} turn={turn} calls={calls.filter((call) => call.turn === turn.turn)} />
              ))}
            </div>
          </>
        )}
      </Loading>
      {isDeleting && session !== undefined && (
        <DeleteSession session={session} onClose={() => setDeleting(false)} onDeleted={() => navigate('/sessions')} />
      )}
    </PageFrame>
  )
}
