import { createMessageId } from '../base/ids.ts'
import type { Retry } from '../provider/stream-model.ts'
import type { Turn } from './turn.ts'

const againAfterMs = 10_000

/** Tells the person about waits before retries, after `patienceMs`, in a thought that grows. Disposing it stops that. */
interface WaitTeller extends Disposable {
  waits(retry: Retry): void
}

export function createWaitTeller(emit: Turn['emit'], patienceMs: number): WaitTeller {
  const messageId = createMessageId()
  let firstAt: number | undefined
  let isTold = false
  let timer: NodeJS.Timeout | undefined

  return {
    waits({ delayMs, error }) {
      const now = Date.now()
      firstAt ??= now
      const until = now + delayMs
      clearTimeout(timer)
      const silentMs = isTold || delayMs >= patienceMs ? 0 : Math.max(0, firstAt + patienceMs - now)
      const say = () => {
        const left = Math.max(0, until - Date.now())
        const next = left < 1_000 ? 'Retrying.' : `Retrying in ${Math.round(left / 1_000)} s.`
        tell(isTold ? next : `${error.message} ${next}`)
        if (left > againAfterMs) timer = setTimeout(say, againAfterMs).unref()
      }
      if (silentMs === 0) say()
      else timer = setTimeout(say, silentMs).unref()
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }

  function tell(line: string): void {
    void emit({ type: 'thought', messageId, text: isTold ? `\n${line}` : line, isWait: true })
    isTold = true
  }
}
