import type { CallSummary } from '@ostler/agent-api/manage'
import { useEffect, useState } from 'preact/hooks'
import { isQuestion } from '../text/is-question.ts'
import { noticedWaitMs, toCallTimes } from '../text/call-times.ts'
import { formatDuration } from '../text/quantities.ts'

const tickMs = 1_000

/** The time a call ran, or the time it has been waiting or running so far. */
export function CallClock({ call }: { readonly call: CallSummary }) {
  const isOpen = call.endedAt === null
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isOpen])
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
