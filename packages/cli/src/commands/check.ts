import { editorToolNames } from '@ostler/acp-server'
import { OstlerError } from '@ostler/agent-api'
import type { AgentFileLocation } from '@ostler/agent-api/internal'
import type { AgentCheck } from '@ostler/workbench'
import { agentFlag, defineCommand, stateFlags, switchFlag } from '../command-line/command.ts'
import type { Io } from '../terminal/io.ts'
import { agentFileOf, findStateDir } from '../state/places.ts'
import { formatCheck, type CheckReport, type StateReport } from './check/format-check.ts'
import { print, warn } from '../terminal/print.ts'
import { toErrorText } from '../terminal/safe-text.ts'
import { showProgress } from '../terminal/show-progress.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: `Validates the agent file, and shows which model would be used. No request is sent to the model. The exit code is 0 if the agent would
  start, and 1 otherwise.`,
  flags: {
    agent: agentFlag(),
    connect: switchFlag('Start the servers, show their tools and the source of each setting, and stop them'),
    ...stateFlags,
  },
  async run(io, { values }) {
    const report = await checkAll(io, agentFileOf(io, values), values.connect, findStateDir(io, values))
    print(io, values, report, formatCheck)
    if (!values.json) for (const problem of report.problems) warn(io, toErrorText(problem))
    return report.ok ? 0 : 1
  },
})

async function checkAll(
  io: Io,
  { path, foundBy }: AgentFileLocation,
  connected: boolean,
  stateDir: string | undefined,
): Promise<CheckReport> {
  const base = { file: path ?? null, foundBy, connected }
  try {
    // Checked first: opening a damaged history sets it aside, and only the first caller is told.
    const { state, problem } = await lookAtState(io, path, stateDir)
    const { name, approvalMode, ...found } = await checkWithProgress(io, path, connected, stateDir)
    return {
      ok: found.problems.length === 0,
      ...base,
      agent: { name, approvalMode },
      state,
      ...found,
      warnings: problem === undefined ? found.warnings : [...found.warnings, problem],
    }
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    const state = { directory: stateDir ?? null, grants: null }
    // If the file cannot be read, nothing else can be checked.
    return {
      ok: false,
      ...base,
      connected: false,
      agent: null,
      model: null,
      state,
      servers: [],
      secretStore: null,
      builtinTools: [],
      localTools: [],
      problems: problemsOf(error),
      warnings: [],
      notes: [],
    }
  }
}

/** Separate entries, so that they can be counted. */
function problemsOf({ data, message }: OstlerError): readonly string[] {
  const { problems } = data
  return Array.isArray(problems) ? problems.map(String) : [message]
}

async function checkWithProgress(
  io: Io,
  file: string | undefined,
  connect: boolean,
  stateDir: string | undefined,
): Promise<AgentCheck> {
  let progress = { settled: 0, all: 0 }
  const line = showProgress(
    io.stderr,
    () => `Connecting: ${progress.settled} of ${progress.all} servers done`,
  )
  try {
    const { checkAgent } = await import('../state/open-agent-state.ts')
    return await checkAgent({
      file,
      env: io.env,
      stateDir,
      connect,
      sessionTools: editorToolNames,
      onProgress: (settled, all) => (progress = { settled, all }),
    })
  } finally {
    line[Symbol.dispose]()
  }
}

/** An unusable state does not prevent an agent from starting. */
async function lookAtState(
  { env }: Io,
  file: string | undefined,
  stateDir: string | undefined,
): Promise<{ state: StateReport; problem?: string }> {
  if (stateDir === undefined) return { state: { directory: null, grants: null } }
  const unread = { directory: stateDir, grants: null }
  try {
    const { openGrants, openStoredState } = await import('../state/open-agent-state.ts')
    const grants = await openGrants({ file, env, stateDir })
    using state = openStoredState({ stateDir })
    try {
      const lastFailure = state?.presence.lastEnd()
      return {
        state: { directory: stateDir, grants: grants.list().length, lastFailure },
      }
    } finally {
      grants[Symbol.dispose]()
    }
  } catch (error) {
    if (error instanceof OstlerError) return { state: unread, problem: error.message }
    throw error
  }
}
