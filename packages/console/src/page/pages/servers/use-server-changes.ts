import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { ApiFailure, post, request, serverApi, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { useCommandConfirm } from '../../parts/use-attempt.tsx'
import { Declined } from '../../parts/use-task.ts'

export function useServerChanges(reload: () => void) {
  const [failure, setFailure] = useState<
    { readonly server: string; readonly failure: ApiFailure } | undefined
  >()
  const [warning, setWarning] = useState<string>()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const { send, dialog } = useCommandConfirm()

  const change = async (server: ServerView, done: string, run: () => Promise<unknown>) => {
    setFailure(undefined)
    setWarning(undefined)
    setBusy((last) => new Set([...last, server.id]))
    try {
      await run()
      announce(`${server.name} is ${done}.`)
    } catch (error) {
      if (!(error instanceof Declined) && !wasCancelled(error))
        setFailure({ server: server.name, failure: toFailure(error) })
    } finally {
      setBusy((last) => new Set([...last].filter((id) => id !== server.id)))
      reload()
    }
  }

  return {
    failure,
    warning,
    busy,
    dialog,
    connect: (server: ServerView) =>
      void change(server, 'connected', () => send('Run and connect', serverApi(server.id, 'connect'))),
    disconnect: (server: ServerView) =>
      void change(server, 'disconnected', () => post(serverApi(server.id, 'disconnect'))),
    enable: (server: ServerView, enabled: boolean) =>
      void change(server, enabled ? 'enabled' : 'disabled', () =>
        send('Enable', serverApi(server.id), { enabled }, { method: 'PATCH' }),
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
