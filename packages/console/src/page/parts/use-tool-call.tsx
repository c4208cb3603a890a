import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallProgress } from '../../api.ts'
import { ApiFailure, isCancelled, requestLines, toFailure, serverApi } from '../api/client.ts'
import { beginWork } from '../api/presence.ts'
import { Declined, useCommandConfirm } from './command-confirm.tsx'

export type ToolCallState =
  | { readonly is: 'idle' | 'cancelled' }
  | { readonly is: 'running'; readonly since: number; readonly progress?: string }
  | { readonly is: 'ended'; readonly end: Extract<CallProgress, { type: 'ended' }> }
  | { readonly is: 'failed'; readonly failure: ApiFailure }

/** Runs one call at a time. Cancelling or leaving the page cancels the call on the server. */
export function useToolCall() {
  const [state, setState] = useState<ToolCallState>({ is: 'idle' })
  const controller = useRef<AbortController | undefined>(undefined)
  const { withConfirmation, dialog } = useCommandConfirm()
  useEffect(() => () => controller.current?.abort(), [])

  const run = async (server: string, tool: string, args: Readonly<Record<string, unknown>>) => {
    const idle = () => setState({ is: 'idle' })
    const { signal } = (controller.current = new AbortController())
    const endWork = beginWork()
    try {
      await withConfirmation(
        'Run',
        async (confirmed) => {
          const since = performance.now()
          setState({ is: 'running', since })
          const body = { tool, arguments: args, ...confirmed }
          for await (const line of requestLines<CallProgress>(serverApi(server, 'call'), { method: 'POST', body, signal })) {
            if (line.type === 'progress') setState({ is: 'running', since, progress: line.text })
            if (line.type === 'ended') setState({ is: 'ended', end: line })
            if (line.type === 'failed') setState({ is: 'failed', failure: new ApiFailure(200, line.error) })
          }
        },
        idle,
      )
      setState((last) => (last.is === 'running' ? { is: 'failed', failure: broken } : last))
    } catch (error) {
      if (error instanceof Declined) idle()
      else setState(isCancelled(error) ? { is: 'cancelled' } : { is: 'failed', failure: toFailure(error) })
    } finally {
      endWork()
    }
  }
  return { state, run, cancel: () => controller.current?.abort(), dialog }
}

const broken = new ApiFailure(0, {
  code: 'page.broken_off',
  message: 'The connection to the console was lost. The Calls page shows how this call ended.',
})
