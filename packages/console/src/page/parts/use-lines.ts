import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiError, CallProgress } from '../../api.ts'
import { ApiFailure, isCancelled, requestLines, toFailure } from '../api/client.ts'
import { beginWork } from '../api/presence.ts'
import { useCommandConfirm } from './use-attempt.tsx'
import { Declined } from './use-task.ts'

/** After these lines, more follow. */
type Running = 'progress' | 'open' | 'started'

export type LinesState<L> =
  | { readonly is: 'idle' | 'cancelled' }
  | { readonly is: 'running'; readonly since: number; readonly last?: Extract<L, { type: Running }> }
  | { readonly is: 'ended'; readonly last: Exclude<L, { type: Running | 'failed' }> }
  | { readonly is: 'failed'; readonly failure: ApiFailure }
export type ToolCallState = LinesState<CallProgress>

/** Sends one request at a time that is answered in lines. Cancelling or leaving the page cancels it on the server. */
export function useLines<L extends { readonly type: string }>(action: string) {
  const [state, setState] = useState<LinesState<L>>({ is: 'idle' })
  const controller = useRef<AbortController | undefined>(undefined)
  const { withConfirmation, dialog } = useCommandConfirm()
  const cancel = () => controller.current?.abort()
  useEffect(() => cancel, [])

  const idle = () => setState({ is: 'idle' })
  const run = async (path: string, body: object = {}) => {
    const { signal } = (controller.current = new AbortController())
    const endWork = beginWork()
    const send = async (confirmed: object) => {
      const since = Date.now()
      setState({ is: 'running', since })
      const request = { method: 'POST', body: { ...body, ...confirmed }, signal } as const
      for await (const line of requestLines<L>(path, request)) setState(after(line, since))
    }
    try {
      await withConfirmation(action, send, idle)
      setState((last) => (last.is === 'running' ? { is: 'failed', failure: broken } : last))
    } catch (error) {
      if (error instanceof Declined) idle()
      else setState(isCancelled(error) ? { is: 'cancelled' } : { is: 'failed', failure: toFailure(error) })
    } finally {
      endWork()
    }
  }
  return {
    state,
    run,
    cancel,
    reset: () => {
      cancel()
      idle()
    },
    dialog,
  }
}

function after<L extends { readonly type: string }>(line: L, since: number): LinesState<L> {
  if (line.type === 'failed' && 'error' in line)
    return { is: 'failed', failure: new ApiFailure(line.error as ApiError) }
  const isRunning = ['progress', 'open', 'started'].includes(line.type)
  return (isRunning ? { is: 'running', since, last: line } : { is: 'ended', last: line }) as LinesState<L>
}

const broken = new ApiFailure({
  code: 'page.broken_off',
  message: 'The connection to the console was lost. The Calls page shows how this ended.',
})
