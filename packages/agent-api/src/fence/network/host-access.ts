import { atMost } from '../../base/or-aborted.ts'
import type { AskHost } from '../fence.ts'
import { judgeHost, shownHost, type HostTarget, type HostVerdict } from './host-rules.ts'

/** Decides for the programs in one fence which hosts they reach. */
export interface HostAccess extends Disposable {
  /** Decided before the name is resolved, so that a name carries nothing out. */
  admit(target: HostTarget): Promise<Exclude<HostVerdict, 'unknown'>>
}

/** A connection waits this long for the answer. One after it still finds the answer. */
const answerMsMax = 2 * 60_000
/** A program that tries one name after the other must not ask for each. */
const askedMax = 20

/** An answer counts as long as the fence is open. `ask` may remember it for longer. */
export function createHostAccess(patterns: readonly string[], ask: AskHost | undefined): HostAccess {
  const lifetime = new AbortController()
  const answers = new Map<string, Promise<boolean>>()

  function askOnce(host: string): Promise<boolean> {
    const known = answers.get(host)
    if (known !== undefined) return known
    if (ask === undefined || answers.size === askedMax) return Promise.resolve(false)
    const answer = ask(host, lifetime.signal).catch(() => false)
    answers.set(host, answer)
    return answer
  }

  return {
    async admit(target) {
      const host = shownHost(target)
      const verdict = judgeHost(patterns, target)
      if (verdict === 'named' || verdict === 'matched') return verdict
      if (verdict === 'unknown' && (await atMost(answerMsMax, askOnce(host), false))) return 'matched'
      return 'refused'
    },
    [Symbol.dispose]: () => lifetime.abort(),
  }
}
