import {
  checkAgent,
  locateAgentFile,
  openGrants,
  openStoredHistory,
  OstlerError,
  type AgentCheck,
  type AgentFileLocation,
} from '@ostler/agent-api'
import type { CheckReport, StateReport } from './check/check-report.ts'
import { readCommandLine } from '../command-line/command-line.ts'
import { editorToolNames } from '@ostler/acp-server'
import { formatCheck } from './check/format-check.ts'
import { toShown } from '../terminal/format-table.ts'
import { showProgress } from '../terminal/show-progress.ts'
import { stateDirOf } from '../state/state-dir.ts'
import { checkCommand } from './specs/check.ts'

export async function runCheck(args: string[]): Promise<number> {
  const line = readCommandLine(checkCommand, args)
  if (line === undefined) return 0
  const { values } = line
  const location = locateAgentFile(values.agent, process.env)
  const report = await checkAll(location, values.connect, stateDirOf(values['state-dir'], process.env))
  if (values.json) {
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  } else {
    process.stdout.write(formatCheck(report))
    for (const problem of report.problems) process.stderr.write(`ostler: ${toShown(problem)}\n`)
  }
  return report.ok ? 0 : 1
}

async function checkAll({ path, foundBy }: AgentFileLocation, connected: boolean, stateDir: string | undefined): Promise<CheckReport> {
  const base = { file: path ?? null, foundBy, connected }
  try {
    // First: one that is damaged is put aside by whoever opens it, and said by nobody after that.
    const { state, problem } = await lookAtState(path, stateDir)
    const { name, approvalMode, model, servers, secretStore, localTools, problems, warnings } = await checkWithProgress(
      path,
      connected,
      stateDir,
    )
    return {
      ok: problems.length === 0,
      ...base,
      agent: { name, approvalMode },
      model,
      state,
      servers,
      secretStore,
      localTools,
      problems,
      warnings: problem === undefined ? warnings : [...warnings, problem],
    }
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    const state = { directory: stateDir ?? null, grants: null }
    // Of a file that cannot be read there is nothing to say but that.
    return {
      ok: false,
      ...base,
      connected: false,
      agent: null,
      model: null,
      state,
      servers: [],
      secretStore: null,
      localTools: [],
      problems: problemsOf(error),
      warnings: [],
    }
  }
}

/** Each by itself, so that they can be counted. */
function problemsOf({ data, message }: OstlerError): readonly string[] {
  const { problems } = data
  return Array.isArray(problems) ? problems.map(String) : [message]
}

async function checkWithProgress(file: string | undefined, connect: boolean, stateDir: string | undefined): Promise<AgentCheck> {
  let progress = { settled: 0, all: 0 }
  const line = showProgress(process.stderr, () => `Connecting: ${progress.settled} of ${progress.all} servers have answered`)
  try {
    return await checkAgent({
      file,
      env: process.env,
      stateDir,
      connect,
      sessionTools: editorToolNames,
      onProgress: (settled, all) => (progress = { settled, all }),
    })
  } finally {
    line[Symbol.dispose]()
  }
}

/** A state that cannot be used keeps no agent from starting. */
async function lookAtState(file: string | undefined, stateDir: string | undefined): Promise<{ state: StateReport; problem?: string }> {
  if (stateDir === undefined) return { state: { directory: null, grants: null } }
  const unread = { directory: stateDir, grants: null }
  try {
    const grants = await openGrants({ file, env: process.env, stateDir })
    using history = openStoredHistory({ stateDir })
    try {
      const lastFailure = history?.lastEnd()
      return { state: { directory: stateDir, grants: grants.list().length, ...(lastFailure && { lastFailure }) } }
    } finally {
      grants[Symbol.dispose]()
    }
  } catch (error) {
    if (error instanceof OstlerError) return { state: unread, problem: error.message }
    throw error
  }
}
