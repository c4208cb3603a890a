import { type DecidedCall, type Calls, type Sessions, isRecord, isBuiltin } from '@ostler/agent-api/internal'
import { keyOf, type Judge, type JudgedTool, type Outcome } from './judge.ts'
import { toPastPlan } from './past-plan.ts'

/** The verdicts on an agent's past calls, by its current rules and by other rules. */
export interface Replay {
  readonly calls: number
  readonly since?: string
  /** True if older calls in the period were not judged. */
  readonly isPart: boolean
  /** The verdicts at the time of the calls. */
  readonly before: Verdicts
  readonly now: Verdicts
  readonly after?: Verdicts
  /** Calls with a different verdict: now and after, or without other rules, what happened and now. Most calls first. */
  readonly differences: readonly ReplayDifference[]
  /** Left out of the list. */
  readonly others: number
}

export type Verdicts = Readonly<Record<Outcome['verdict'], number>>

export interface ReplayDifference {
  readonly server: string | null
  readonly tool: string
  readonly from: Outcome
  readonly to: Outcome
  readonly calls: number
  /** The newest calls. */
  readonly examples: readonly { readonly id: string; readonly startedAt: string; readonly about?: string }[]
}

interface ReplayCallsOptions {
  readonly calls: Calls
  readonly sessions: Sessions
  readonly agent: string
  readonly since: string
  readonly tools: readonly JudgedTool[]
  readonly now: Judge
  readonly after?: Judge | undefined
  readonly signal: AbortSignal
}

const rowsMax = 100_000
const bytesMax = 64 * 1024 * 1024
const differencesShown = 200
const examplesShown = 5
const aboutCharsMax = 200

interface Tally extends Omit<ReplayDifference, 'calls'> {
  calls: number
  readonly examples: ReplayDifference['examples'][number][]
}

/** Judges the newest calls of the period, within a limit. */
export async function replayCalls(options: ReplayCallsOptions): Promise<Replay> {
  const { agent, since, now, after, signal } = options
  const judged = createCallJudge(options)
  const counts = { before: noVerdicts(), now: noVerdicts(), after: noVerdicts() }
  const tallies = new Map<string, Tally>()
  let [calls, rows, bytes, isPart] = [0, 0, 0, false]
  let oldest: string | undefined
  for await (const step of options.calls.decided({ agent, since })) {
    signal.throwIfAborted()
    if (rows >= rowsMax || bytes >= bytesMax) {
      isPart = true
      break
    }
    rows += step.rows
    bytes += step.bytes
    for (const call of step.calls) {
      const before = thenOf(call)
      const current = judged(now, call)
      const next = after && judged(after, call)
      calls++
      oldest = call.startedAt
      counts.before[before.verdict]++
      counts.now[current.verdict]++
      if (next !== undefined) counts.after[next.verdict]++
      const [from, to] = next === undefined ? [before, current] : [current, next]
      if (from.verdict !== to.verdict) addTo(tallies, call, from, to)
    }
  }
  const differences = [...tallies.values()].toSorted((a, b) => b.calls - a.calls)
  return {
    calls,
    since: oldest,
    isPart,
    before: counts.before,
    now: counts.now,
    ...(after !== undefined && { after: counts.after }),
    differences: differences.slice(0, differencesShown),
    others: Math.max(0, differences.length - differencesShown),
  }
}

/** Calls of a server's tool are judged once per tool; calls of a built-in tool, by their arguments. */
function createCallJudge({
  sessions,
  tools,
}: ReplayCallsOptions): (judge: Judge, call: DecidedCall) => Outcome {
  const known = new Map(tools.map((tool) => [keyOf(tool.ref), tool]))
  const outcomes = new Map<Judge, Map<string, Outcome>>()
  const roots = new Map<string, readonly string[]>()

  function rootsOf(sessionId: string | null): readonly string[] {
    if (sessionId === null) return []
    const known = roots.get(sessionId)
    if (known !== undefined) return known
    const session = sessions.find(sessionId)
    const found = session === undefined ? [] : [session.cwd, ...session.additionalDirectories]
    roots.set(sessionId, found)
    return found
  }

  return (judge, call) => {
    const { server, tool: name } = call
    const ref = { server, tool: name }
    const key = keyOf(ref)
    const tool = known.get(key) ?? unknownTool(ref)
    if (server === null) {
      if (!isBuiltin(name)) return { verdict: thenOf(call).verdict, rule: { by: 'unknown' } }
      const args = isRecord(call.arguments) ? call.arguments : undefined
      return judge(tool, args && toPastPlan(name, args, rootsOf(call.sessionId)))
    }
    const own = outcomes.get(judge) ?? new Map<string, Outcome>()
    outcomes.set(judge, own)
    const outcome = own.get(key) ?? judge(tool)
    own.set(key, outcome)
    return outcome
  }
}

/** Its session has ended, so only its name is known. */
function unknownTool(ref: JudgedTool['ref']): JudgedTool {
  return ref.server === null
    ? { ref }
    : { ref, server: { name: ref.server, origin: 'session', enabled: true } }
}

/** If a person answered, the verdict was to ask. */
function thenOf({ decision, rule }: Pick<DecidedCall, 'decision' | 'rule'>): Outcome {
  if (rule.by === 'person') return { verdict: 'ask', rule }
  return { verdict: decision === 'allow' ? 'allow' : 'deny', rule }
}

function addTo(tallies: Map<string, Tally>, call: DecidedCall, from: Outcome, to: Outcome): void {
  const { id, server, tool, startedAt } = call
  // A person's different answers all mean the same verdict.
  const key = JSON.stringify([server, tool, from.verdict, to.verdict, to.rule])
  const tally = tallies.get(key) ?? { server, tool, from, to, calls: 0, examples: [] }
  tallies.set(key, tally)
  tally.calls++
  if (tally.examples.length < examplesShown) tally.examples.push({ id, startedAt, ...aboutOf(call) })
}

function aboutOf({ arguments: args }: DecidedCall): { about?: string } {
  if (!isRecord(args)) return {}
  const about = [args['command'], args['path'], args['url']].find((value) => typeof value === 'string')
  return about === undefined ? {} : { about: about.slice(0, aboutCharsMax) }
}

function noVerdicts(): Record<Outcome['verdict'], number> {
  return { allow: 0, ask: 0, deny: 0, off: 0 }
}
