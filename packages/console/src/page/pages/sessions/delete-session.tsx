import type { SessionSummary } from '../../../api.ts'
import { request } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/dialog.tsx'

interface DeleteSessionProps {
  session: SessionSummary
  onClose: () => void
  onDeleted: () => void
}

export function DeleteSession({ session, onClose, onDeleted }: DeleteSessionProps) {
  const remove = async () => {
    await request(`/api/sessions/${encodeURIComponent(session.id)}`, { method: 'DELETE' })
    announce('Session deleted.')
    onDeleted()
  }
  return (
    <Confirm title="Delete this session?" action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        This deletes <strong>{session.title ?? session.id}</strong> and its calls. It cannot be undone.
      </p>
    </Confirm>
  )
}
