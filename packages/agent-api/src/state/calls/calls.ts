import type { SessionId, ToolCallId } from '../../base/ids.ts'
import type { PastSearch, ToolRef } from '../../messages/tool.ts'
import type { Journal } from '../db/journal.ts'
import type {
  CalledServer,
  CallQuery,
  CallRecorder,
  CallStatistics,
  CallSummary,
  StatisticsQuery,
  StoredCall,
} from './call.ts'
import {
  cleanSummary,
  findCall,
  findCallsByPrefix,
  lastChange,
  listCalls,
  listOpenCalls,
} from './call-queries.ts'
import { createCallRecorder, type CallRecorderOptions } from './call-recorder.ts'
import { readStatistics } from './call-statistics.ts'
import { listCalledTools } from './called-servers.ts'
import { readDecidedCalls, type DecidedCallsQuery, type DecidedStep } from './decided-calls.ts'
import { countEndedCalls, deleteEndedCalls } from './delete-calls.ts'
import { createKeptResults, type KeptResults } from './kept-results.ts'
import { readPastSearches } from './past-searches.ts'
import { readUsualTools } from './usual-tools.ts'

/** The tool calls of all processes, with their decisions and results. */
export interface Calls {
  readonly results: KeptResults
  recorder(options: CallOwner): CallRecorder
  /** Newest first. With `after`, oldest first; with `changedAfter`, in the order of the changes. */
  list(query: CallQuery): readonly CallSummary[]
  find(id: ToolCallId): StoredCall | undefined
  findByPrefix(prefix: string, limit: number): readonly CallSummary[]
  tools(): readonly CalledServer[]
  /** Latest day first. Rejects when the signal aborts. */
  statistics(query: StatisticsQuery, signal?: AbortSignal): Promise<readonly CallStatistics[]>
  /** Newest first, in steps. */
  decided(query: DecidedCallsQuery): AsyncIterable<DecidedStep>
  /** The prompts and tool searches of a folder, with the tools that succeeded. Empty if they cannot be read. */
  searches(agent: string, cwd: string): readonly PastSearch[]
  /** The tools that nearly every recent session of a folder called. */
  usualTools(agent: string, cwd: string): readonly ToolRef[]
  lastChange(): number
  /** The calls that wait or run now, in any running process. */
  openIn(session: SessionId): ReadonlySet<ToolCallId>
  /** Counts ended calls that started before the given time, or all. */
  countEnded(before?: string): number
  /** Deletes the same calls and returns their number. Sessions keep what was shown in them. */
  deleteEnded(before?: string): Promise<number>
}

type CallOwner = Pick<CallRecorderOptions, 'agent' | 'sessionId' | 'turn'>

export function createCalls(
  journal: Journal,
  options: Pick<CallRecorderOptions, 'strike' | 'process' | 'restoreSession'>,
): Calls {
  const { strike } = options
  const { read } = journal
  const cleaned = (calls: readonly CallSummary[]) => calls.map((call) => cleanSummary(call, strike))
  return {
    results: createKeptResults(journal),
    recorder: (owner) => createCallRecorder({ journal, ...options, ...owner }),
    list: (query) => cleaned(read((statements) => listCalls(statements, query))),
    find: (id) => read((statements) => findCall(statements, id, strike)),
    findByPrefix: (prefix, limit) =>
      cleaned(read((statements) => findCallsByPrefix(statements, prefix, limit))),
    tools: () => read(listCalledTools),
    statistics: (query, signal) => readStatistics(journal, query, signal),
    decided: (query) => readDecidedCalls(journal, query),
    searches: (agent, cwd) => readPastSearches(journal, agent, cwd),
    usualTools: (agent, cwd) => readUsualTools(journal, agent, cwd),
    lastChange: () => read(lastChange),
    openIn: (session) => read((statements) => listOpenCalls(statements, session)),
    countEnded: (before) => countEndedCalls(journal, before),
    deleteEnded: (before) => deleteEndedCalls(journal, before),
  }
}
