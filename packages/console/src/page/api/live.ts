import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveEvents } from '../../api.ts'
import { requestLines, toFailure } from './client.ts'

/** Before `reopened`, events may have been missed. `hidden` repeats while a hidden page has no stream. */
interface PageEvents extends LiveEvents {
  readonly reopened: void
  readonly hidden: void
}
type Listeners = { [K in keyof PageEvents]: Set<(event: PageEvents[K]) => void> }
export type LiveList = 'questions' | 'servers' | 'sessions'
/** `expired`: another console answers at this address. */
export type LiveState = 'connecting' | 'open' | 'closed' | 'expired'

const listeners: Listeners = {
  calls: new Set(),
  entries: new Set(),
  open: new Set([setOpen]),
  questions: new Set(),
  servers: new Set(),
  sessions: new Set(),
  reopened: new Set(),
  hidden: new Set(),
}
const stateListeners = new Set<(state: LiveState) => void>()
const retryMinMs = 1_000
const retryMaxMs = 30_000
const hiddenMs = 10_000
/** Maximum time that the first data waits for the stream. */
const firstMsMax = 1_000

let state: LiveState = 'connecting'
const begin = Promise.withResolvers<void>()
let hasBegun = false
let retryMs = retryMinMs
let retry: ReturnType<typeof setTimeout> | undefined
let whileHidden: ReturnType<typeof setInterval> | undefined
let stream: AbortController | undefined

/**
 * A single stream for the whole page, open only while the page is visible. A browser allows six connections per host for all tabs, so a
 * hidden page must not hold one.
 */
export function openLive(): void {
  document.addEventListener('visibilitychange', update)
  update()
  setTimeout(setBegun, firstMsMax)
}

/**
 * Resolves when the stream is open, so that no change falls between the data of a page and its events. If it does not open soon, or the page
 * is hidden, the data is loaded without it, and again once it opens.
 */
export const liveBegin = begin.promise

function setBegun(): void {
  hasBegun = true
  begin.resolve()
}

function update(): void {
  clearTimeout(retry)
  clearInterval(whileHidden)
  if (!document.hidden) stream ??= open()
  else {
    stream?.abort()
    stream = undefined
    setBegun()
    whileHidden = setInterval(() => {
      for (const listener of listeners.hidden) listener()
    }, hiddenMs)
  }
}

function open(): AbortController {
  const controller = new AbortController()
  void follow(controller.signal)
  return controller
}

async function follow(signal: AbortSignal): Promise<void> {
  const failure = await read(signal).catch(toFailure)
  if (signal.aborted) return
  stream = undefined
  setLive(failure?.code === 'page.signed_out' ? 'expired' : 'closed')
  setBegun()
  retry = setTimeout(update, retryMs)
  retryMs = Math.min(retryMs * 2, retryMaxMs)
}

async function read(signal: AbortSignal): Promise<undefined> {
  for await (const { event, data } of requestLines<{ event: keyof LiveEvents; data: never }>('/api/events', {
    signal,
  }))
    for (const listener of listeners[event]) listener(data)
}

function setOpen(): void {
  retryMs = retryMinMs
  setLive('open')
  if (hasBegun) for (const listener of listeners.reopened) listener()
  setBegun()
}

/** Does nothing without a name. */
export function useLive<K extends keyof PageEvents>(
  name: K | undefined,
  onEvent: (event: PageEvents[K]) => void,
): void {
  const set = name && (listeners[name] as Set<typeof onEvent>)
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    const listener = (event: PageEvents[K]) => latest.current(event)
    set?.add(listener)
    return () => void set?.delete(listener)
  }, [set])
}

/** Reloads a list when it has changed, or may have changed unnoticed. Does nothing without a name. */
export function useLiveReload(name: LiveList | undefined, reload: () => void): void {
  useLive(name, reload)
  useLive(name && 'reopened', reload)
}

export function useLiveState(): LiveState {
  const [shown, setShown] = useState(state)
  useEffect(() => {
    setShown(state)
    stateListeners.add(setShown)
    return () => void stateListeners.delete(setShown)
  }, [])
  return shown
}

function setLive(next: LiveState): void {
  state = next
  for (const listener of stateListeners) listener(next)
}
