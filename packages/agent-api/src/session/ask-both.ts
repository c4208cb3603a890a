import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import type { SessionId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { OpenQuestion, QuestionBody, Questions, StoredAnswer } from '../history/questions.ts'

export interface AskBothOptions {
  readonly questions: Questions
  readonly agent: string
  readonly sessionId: SessionId
  readonly logger: Logger
}

export interface Asking<T> {
  /** Asks in the editor. */
  readonly here: (signal: AbortSignal) => Promise<T>
  /** Reads an answer of the console. */
  readonly fromStored: (stored: StoredAnswer) => T
}

/** The interval between checks for an answer from the console. */
const lookEveryMs = 100

/** Asks in the editor and in the console at once. The first answer wins, and the other question closes. */
export async function askBoth<T>(options: AskBothOptions, body: QuestionBody, asking: Asking<T>, signal: AbortSignal): Promise<T> {
  const { questions, agent, sessionId, logger } = options
  const open = await questions.open({ agent, sessionId, body }).catch(() => undefined)
  if (open === undefined) return asking.here(signal)
  const settled = new AbortController()
  const both = AbortSignal.any([signal, settled.signal])
  try {
    const elsewhere = waitForAnswer(open, both)
    const here = asking.here(both).then(async (answer) => (await claimed(open)) ?? { answer })
    const first = await Promise.race([here, elsewhere.then((stored) => (stored === undefined ? here : { stored }))])
    return 'stored' in first ? asking.fromStored(first.stored) : first.answer
  } finally {
    settled.abort()
    await open.close().catch((error: unknown) => logger.debug('a question could not be closed', { error: messageOf(error) }))
  }
}

/** The console may have answered a moment before the editor did. */
async function claimed(open: OpenQuestion): Promise<{ readonly stored: StoredAnswer } | undefined> {
  const stored = await open.close().catch(() => undefined)
  return stored && { stored }
}

/** Undefined when the signal aborts. A database that cannot be read gives no answer. */
async function waitForAnswer(open: OpenQuestion, signal: AbortSignal): Promise<StoredAnswer | undefined> {
  while (!signal.aborted) {
    try {
      const answer = open.read()
      if (answer !== undefined) return answer
    } catch {
      // The editor still asks.
    }
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return undefined
}
