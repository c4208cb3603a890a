import type { CallSummary } from '@ostler/agent-api/manage'
import { isQuestion } from '../text/is-question.ts'
import { noticedWaitMs, toCallTimes } from '../text/call-times.ts'
import { formatDuration } from '../text/quantities.ts'
import { useNow } from './use-now.ts'

const tickMs = 1_000

/** The time a call ran, or the time it has been waiting or running so far. */
export function CallClock({ call }: { readonly call: CallSummary }) {
  const isOpen = call.endedAt === null
  const now = useNow(isOpen, tickMs)
  const { waitedMs, ranMs } = toCallTimes(call, now)
  if (!isOpen) return <>{ranMs === null ? '' : formatDuration(ranMs)}</>
  // Whole seconds: tenths would only flicker.
  return <>{formatDuration(Math.max(Math.floor((ranMs ?? waitedMs) / tickMs), 1) * tickMs)}</>
}

/** The same for an ended call in words. */
export function describeTimes(call: CallSummary): string {
  const { waitedMs, ranMs } = toCallTimes(call, Date.now())
  const wait = waitedMs >= noticedWaitMs ? `waited ${formatDuration(waitedMs)}` : undefined
  const run = ranMs === null ? (wait === undefined || isQuestion(call) ? undefined : 'did not run') : `ran ${formatDuration(ranMs)}`
  return [run, wait].filter((part) => part !== undefined).join(', ')
}
