import type { ServerLogin } from './oauth/logins.ts'

/** Many agents may wait for one server. They must not all return at the same moment. */
const jitterMax = 0.2

/** The pause, shortened at random by up to a fifth. */
export function withJitter(retryMs: number, random = Math.random()): number {
  return retryMs * (1 - jitterMax * random)
}

/** Calls back when the next attempt to connect is due: after a pause, or when a person has logged in. */
export function createRetryAlarm(login: ServerLogin | undefined, onDue: (by: 'retry' | 'login') => void) {
  let timer: NodeJS.Timeout | undefined
  let stopWaitingForLogin: (() => void) | undefined
  function stop(): void {
    clearTimeout(timer)
    stopWaitingForLogin?.()
  }
  return {
    stop,
    set({ retryMs, forLogin }: { readonly retryMs: number | undefined; readonly forLogin: boolean }): void {
      stop()
      timer =
        retryMs === undefined ? undefined : setTimeout(() => onDue('retry'), withJitter(retryMs)).unref()
      stopWaitingForLogin = forLogin ? login?.onNews(() => onDue('login')) : undefined
    },
  }
}
