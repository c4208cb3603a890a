import type { StoredQuestion } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'

/** The session that asks. */
export function QuestionPlace({ question: { sessionId, sessionTitle, cwd } }: { readonly question: StoredQuestion }) {
  return (
    <p class="muted wrap">
      {'In '}
      <Link to={`/sessions/${encodeURIComponent(sessionId)}`}>{sessionTitle ?? 'Untitled session'}</Link>
      {cwd !== null && (
        <>
          {' · '}
          <span class="mono">{cwd}</span>
        </>
      )}
    </p>
  )
}
