import { counted, modeNames } from '@ostler/agent-api/browser'
import type { TranscriptEntry } from '../../../api.ts'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../../parts/buttons.tsx'
import { Empty, Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { navigate, toPath } from '../../route.ts'
import { DeleteSession } from './delete-session.tsx'
import { offersOfTurn } from './offers.ts'
import { Turn } from './turn.tsx'
import { useSession } from './use-session.ts'

export function SessionDetailPage({ id }: { id: string }) {
  const { loaded, entries, calls, offers } = useSession(id)
  useStayAtEnd(entries.length)
  const costs = costsBefore(entries)
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
          {session !== undefined && loaded.data?.isOpen === false && (
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
        {({ session, isOpen }) => (
          <>
            <p class="muted">
              {isOpen && <Status tone="good">Open now</Status>} Started <Time at={session.createdAt} />
              {` · ${counted(session.turns, 'turn')} · `}
              <span class="mono">{session.cwd}</span>
              {session.model !== null && ` · ${session.model}`}
              {session.mode !== null && ` · ${modeNames[session.mode]}`}
              {' · '}
              <Link to={toPath('/calls', { session: session.id })}>{counted(calls.length, 'call')}</Link>{' '}
              <CopyButton label="Copy ID" text={() => session.id} />
            </p>
            {entries.length === 0 && <Empty title="This session has no messages yet" />}
            <div class="column transcript">
              {[...Map.groupBy(entries, ({ turn }) => turn)].map(([turn, own]) => (
                <Turn
                  key={turn}
                  turn={turn}
                  entries={own}
                  calls={calls.filter((call) => call.turn === turn)}
                  isLive={isOpen && turn === entries.at(-1)?.turn}
                  offers={offersOfTurn(offers, turn)}
                  costBefore={costs.get(turn) ?? 0}
                />
              ))}
            </div>
          </>
        )}
      </Loading>
      {isDeleting && session !== undefined && (
        <DeleteSession
          session={session}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate('/sessions')}
        />
      )}
    </PageFrame>
  )
}

function costsBefore(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const costs = new Map<number, number>()
  let cost = 0
  for (const entry of entries) {
    if (!costs.has(entry.turn)) costs.set(entry.turn, cost)
    if (entry.kind === 'event' && entry.event.type === 'turn_end')
      cost = entry.event.usage?.cost?.amount ?? cost
  }
  return costs
}

/** Readers within this distance of the end are at the end. */
const endPixels = 80

/** If the end of the page is in view, it stays in view while the page grows. */
function useStayAtEnd(length: number): void {
  const wasAtEnd = useRef(false)
  useLayoutEffect(() => {
    const root = document.documentElement
    if (wasAtEnd.current) scrollTo({ top: root.scrollHeight })
    const note = () =>
      (wasAtEnd.current = scrollY > 0 && scrollY + innerHeight > root.scrollHeight - endPixels)
    addEventListener('scroll', note)
    return () => removeEventListener('scroll', note)
  }, [length])
}
