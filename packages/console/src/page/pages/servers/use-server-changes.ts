import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { ApiFailure, post, request, serverApi, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'

/** Changes single servers, and keeps the state to show: the busy servers, and the last failure. */
export function useServerChanges(reload: () => void) {
  const [failure, setFailure] = useState<{ readonly server: string; readonly failure: ApiFailure } | undefined>()
  /** A warning about a step of the last change that failed. */
  const [warning, setWarning] = useState<string | undefined>()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const { withConfirmation, dialog } = useCommandConfirm()

  /** Runs a change of one server, and reports its progress and result. */
  const change = async (server: ServerView, done: string, run: () => Promise<unknown>) => {
    setFailure(undefined)
    setWarning(undefined)
    setBusy((last) => new Set([...last, server.id]))
    try {
      await run()
      announce(`${server.name} is ${done}.`)
    } catch (error) {
      if (!(error instanceof Declined) && !wasCancelled(error)) setFailure({ server: server.name, failure: toFailure(error) })
    } finally {
      setBusy((last) => new Set([...last].filter((id) => id !== server.id)))
      reload()
    }
  }

  return {
    failure,
    warning,
    busy,
    /** The question before a command is run. */
    dialog,
    connect: (server: ServerView) =>
      void change(server, 'connected', () =>
        withConfirmation('Run and connect', (confirmed) => post(serverApi(server.id, 'connect'), confirmed)),
      ),
    disconnect: (server: ServerView) => void change(server, 'disconnected', () => post(serverApi(server.id, 'disconnect'))),
    enable: (server: ServerView, enabled: boolean) =>
      void change(server, enabled ? 'enabled' : 'disabled', () =>
        withConfirmation('Enable', (confirmed) => request(serverApi(server.id), { method: 'PATCH', body: { enabled, ...confirmed } })),
      ),
    /** Rejects if it fails. */
    async remove(server: ServerView) {
      const removed = await request<{ warning?: string }>(serverApi(server.id), { method: 'DELETE' })
      reload()
      announce(`${server.name} is removed.`)
      setWarning(removed.warning)
    },
  }
}

/** The connection was cancelled, here or in another window. */
function wasCancelled(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'mcp.cancelled'
}
