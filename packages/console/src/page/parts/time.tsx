import type { CallSummary } from '../../api.ts'
import { formatDuration } from '@ostler/agent-api/browser'
import { useEffect, useState } from 'preact/hooks'
import { isQuestion, noticedWaitMs, toCallTimes } from '../text/call-status.ts'
import { formatFullTime, formatTime } from '../text/time.ts'

export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {formatTime(at)}
    </time>
  )
}

const tickMs = 1_000

export function CallClock({ call }: { call: CallSummary }) {
  const isOpen = call.endedAt === null
  const now = useNow(isOpen, tickMs)
  const { waitedMs, ranMs } = toCallTimes(call, now)
  if (!isOpen) return <>{ranMs === null ? '' : formatDuration(ranMs)}</>
  // Whole seconds: tenths would only flicker.
  return <>{formatDuration(Math.max(Math.floor((ranMs ?? waitedMs) / tickMs), 1) * tickMs)}</>
}

export function describeTimes(call: CallSummary): string {
  const { waitedMs, ranMs } = toCallTimes(call, Date.now())
  const wait = waitedMs >= noticedWaitMs ? `waited ${formatDuration(waitedMs)}` : undefined
  const run =
    ranMs === null
      ? wait === undefined || isQuestion(call)
        ? undefined
        : 'did not run'
      : `ran ${formatDuration(ranMs)}`
  return [run, wait].filter((part) => part !== undefined).join(', ')
}

export function Stopwatch({ since }: { since: number }) {
  const now = useNow(true, 100)
  return (
    <span role="timer" aria-label="Elapsed time">
      {formatDuration(Math.max(now - since, 1))}
    </span>
  )
}

export function useNow(isTicking: boolean, everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return undefined
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [isTicking, everyMs])
  return now
}
