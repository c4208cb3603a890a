import { parseRule } from '../../packages/agent-api/src/policy/decision-rule.ts'
import { join } from 'node:path'
import { createStoredState } from '../../packages/agent-api/src/state/open-state.ts'
import type { State } from '../../packages/agent-api/src/state/state.ts'
import type { CallEnd, CallStart } from '../../packages/agent-api/src/state/calls/call.ts'
import type { SessionSummary } from '../../packages/agent-api/src/state/sessions/session-entry.ts'
import type { ToolResult } from '../../packages/agent-api/src/messages/tool.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'

/** A state directory that a running agent has open while commands read it. */
export interface StateLab extends AsyncDisposable {
  readonly path: string
  readonly stateDir: string
  readonly env: Record<string, string>
  readonly history: State
  run(...args: readonly string[]): Promise<CliResult>
  json(...args: readonly string[]): Promise<Record<string, unknown>>
  addCall(call: Partial<CallStart> & LabCall): Promise<string>
  addSession(session: Partial<SessionSummary>): SessionSummary
}

export interface LabCall {
  readonly sessionId?: string
  readonly decision?: readonly [string, string]
  readonly end?: CallEnd
  readonly result?: ToolResult
}

const uuid = (number: number) => `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111`

export async function openStateLab(): Promise<StateLab> {
  const dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const history = createStoredState({ stateDir })
  const env = { XDG_CONFIG_HOME: dir.path, XDG_STATE_HOME: dir.path, OSTLER_SECRET_STORE: 'file', TZ: 'UTC' }
  let calls = 0
  let sessions = 0
  const run = (...args: readonly string[]) => runCli([...args, '--state-dir', stateDir], { env })
  return {
    path: dir.path,
    stateDir,
    env,
    history,
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json')
      if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
      return JSON.parse(stdout) as Record<string, unknown>
    },
    async addCall({ sessionId, decision = ['allow', 'mode:auto'], end, result, ...call }) {
      const id = `call_${uuid(++calls)}`
      const recorder = history.calls.recorder({
        agent: 'default',
        ...(sessionId !== undefined && { sessionId, turn: 1 }),
      })
      const record = await recorder.start({
        id,
        server: 'files',
        tool: 'read_file',
        arguments: { path: '/a' },
        ...call,
      })
      record.decided(decision[0], parseRule(decision[1]))
      if (end !== undefined)
        record.ended(
          end,
          result ?? { isError: end !== 'success', content: [{ type: 'text', text: `the end: ${end}` }] },
        )
      return id
    },
    addSession(session) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, ++sessions)).toISOString()
      const summary: SessionSummary = {
        id: uuid(sessions + 10_000_000),
        agent: 'default',
        cwd: '/projects/one',
        additionalDirectories: [],
        title: `Session ${sessions}`,
        model: null,
        mode: null,
        thoughtLevel: null,
        turns: 0,
        createdAt: at,
        updatedAt: at,
        ...session,
      }
      history.sessions.log(summary, { isStored: false })
      return summary
    },
    async [Symbol.asyncDispose]() {
      history[Symbol.dispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}
