import { checkAgent, locateAgentFile, openGrants, OstlerError, type AgentCheck, type AgentFileLocation } from '@ostler/agent-api'
import type { CheckReport, StateReport } from '../check-report.ts'
import { formatCheck } from '../format-check.ts'
import { toShown } from '../format-table.ts'
import { parseFlags } from '../parse-flags.ts'
import { rejectEmptyFlags } from '../reject-empty-flags.ts'
import { showProgress } from '../show-progress.ts'
import { stateDirOf } from '../state-dir.ts'
import { checkUsage } from '../usage.ts'

const options = {
  agent: { type: 'string' },
  connect: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'state-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function runCheck(args: string[]): Promise<number> {
  const { values } = parseFlags({ args, options }, checkUsage)
  if (values.help === true) {
    process.stdout.write(checkUsage)
    return 0
  }
  rejectEmptyFlags(values, checkUsage)
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
    const { name, approvalMode, servers, localTools, problems, warnings } = await checkWithProgress(path, connected)
    const { state, problem } = await lookAtState(path, stateDir)
    return {
      ok: problems.length === 0,
      ...base,
      agent: { name, approvalMode },
      state,
      servers,
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
      state,
      servers: [],
      localTools: [],
      problems: [error.message],
      warnings: [],
    }
  }
}

async function checkWithProgress(file: string | undefined, connect: boolean): Promise<AgentCheck> {
  let progress = { settled: 0, all: 0 }
  const line = showProgress(process.stderr, () => `Connecting: ${progress.settled} of ${progress.all} servers have answered`)
  try {
    return await checkAgent({ file, env: process.env, connect, onProgress: (settled, all) => (progress = { settled, all }) })
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
    try {
      return { state: { directory: stateDir, grants: grants.list().length } }
    } finally {
      grants[Symbol.dispose]()
    }
  } catch (error) {
    if (error instanceof OstlerError) return { state: unread, problem: error.message }
    throw error
  }
}
