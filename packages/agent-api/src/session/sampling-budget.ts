import type { Turn } from '../turn/turn.ts'

/** Limits on what one server may ask the model, for one prompt and for the session. The person is asked again when one is used up. */
const samplingPromptMax: Spent = { requests: 10, tokens: 50_000 }
const samplingSessionMax: Spent = { requests: 50, tokens: 200_000 }

interface Spent {
  readonly requests: number
  readonly tokens: number
}

export interface SamplingBudget {
  /** Counts a request that is about to be made. Returns what was spent before if that is enough for another question, else undefined. */
  begin(server: string, turn: Turn): Spent | undefined
  spend(server: string, turn: Turn, tokens: number): void
  /** The person has agreed to more. */
  renew(server: string, turn: Turn): void
}

const nothing: Spent = { requests: 0, tokens: 0 }

export function createSamplingBudget(): SamplingBudget {
  const session = new Map<string, Spent>()
  const prompts = new WeakMap<Turn, Map<string, Spent>>()

  function add(server: string, turn: Turn, more: Spent): void {
    for (const spent of [session, ofPrompt(turn)]) {
      const before = spent.get(server) ?? nothing
      spent.set(server, { requests: before.requests + more.requests, tokens: before.tokens + more.tokens })
    }
  }

  function ofPrompt(turn: Turn): Map<string, Spent> {
    const known = prompts.get(turn) ?? new Map<string, Spent>()
    prompts.set(turn, known)
    return known
  }

  return {
    begin(server, turn) {
      const [ofSession, ofTurn] = [session.get(server) ?? nothing, ofPrompt(turn).get(server) ?? nothing]
      add(server, turn, { requests: 1, tokens: 0 })
      if (isUsedUp(ofTurn, samplingPromptMax)) return ofTurn
      return isUsedUp(ofSession, samplingSessionMax) ? ofSession : undefined
    },
    spend: (server, turn, tokens) => add(server, turn, { requests: 0, tokens }),
    renew(server, turn) {
      for (const spent of [session, ofPrompt(turn)]) spent.set(server, { requests: 1, tokens: 0 })
    },
  }
}

function isUsedUp(spent: Spent, max: Spent): boolean {
  return spent.requests >= max.requests || spent.tokens >= max.tokens
}
