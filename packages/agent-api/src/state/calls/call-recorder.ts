import type { Strike } from '../../base/clean-text.ts'
import type { SessionId } from '../../base/ids.ts'
import { describeFence } from '../../messages/fence-report.ts'
import { toPlainText } from '../../messages/tool-output.ts'
import type { ToolResult } from '../../messages/tool.ts'
import { toText } from '../../policy/decision-rule.ts'
import type { CallRecorder } from './call.ts'
import { indexCall } from './call-search-index.ts'
import type { Journal } from '../db/journal.ts'
import { isMissingParent } from '../db/sqlite-error.ts'
import type { Statements } from '../db/statements.ts'

export interface CallRecorderOptions {
  readonly journal: Journal
  readonly strike: Strike
  readonly process: string
  readonly agent: string
  readonly sessionId?: SessionId
  readonly turn?: number
  /** Inserts the row of an open session again if it was deleted. False if the session is not open. */
  readonly restoreSession?: (id: SessionId, statements: Statements) => boolean
}

const storedCharsMax = 256 * 1024
const errorCharsMax = 1_000
const nameCharsMax = 500

const insert = `INSERT INTO tool_calls (id, agent, session_id, turn, server, server_id, tool, status, decision, rule, started_at, started_ms, process)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`
const insertBody = 'INSERT INTO tool_call_bodies (seq, arguments) VALUES (last_insert_rowid(), ?)'
const decide = 'UPDATE tool_calls SET decision = ?, rule = ? WHERE id = ?'
const changeArguments =
  'UPDATE tool_call_bodies SET arguments = ? WHERE seq = (SELECT seq FROM tool_calls WHERE id = ?)'
const run = `UPDATE tool_calls SET status = 'running', waited_ms = ?, fence = ? WHERE id = ?`
const askedMs = `(SELECT coalesce(sum(asked.waited_ms), 0) FROM tool_calls AS asked WHERE asked.session_id = tool_calls.session_id
  AND asked.turn = tool_calls.turn AND asked.seq > tool_calls.seq AND asked.server = tool_calls.server AND asked.tool IN ('elicitation', 'sampling'))`
// An answer to a question is a call that only waits.
const end = `UPDATE tool_calls SET status = ?, ended_at = ?, duration_ms = ?,
  waited_ms = coalesce(?, min(?, waited_ms + ? + ${askedMs})), result_bytes = ?, error = ? WHERE id = ? RETURNING seq`
const endBody = 'UPDATE tool_call_bodies SET result = ? WHERE seq = ?'

export function createCallRecorder(options: CallRecorderOptions): CallRecorder {
  const {
    journal,
    strike,
    process,
    agent,
    sessionId = null,
    turn = null,
    restoreSession = () => false,
  } = options
  return {
    async start(call) {
      const startedMs = performance.now()
      const { id, server, serverId = null } = call
      const tool = strike(call.tool).slice(0, nameCharsMax)
      let args = toStoredJson(strike(call.arguments))
      const startedAt = now()
      let generation: number | undefined
      let decided: readonly [string | null, string | null] = [
        null,
        call.rule === undefined ? null : toText(call.rule),
      ]
      let isAnswer = false
      write(() => false, args.length)
      await journal.flushed()
      return {
        decided(decision, rule, changed) {
          decided = [decision, toText(rule)]
          isAnswer = rule.by === 'answer'
          if (changed !== undefined) args = toStoredJson(strike(changed))
          write((statements) => {
            if (changed !== undefined) statements.run(changeArguments, args, id)
            return statements.run(decide, ...decided, id) > 0
          })
        },
        running(fence) {
          const waitedMs = performance.now() - startedMs
          write(
            (statements) =>
              statements.run(run, waitedMs, fence === undefined ? null : describeFence(fence), id) > 0,
          )
        },
        ended(status, result, asked = 0) {
          const durationMs = performance.now() - startedMs
          const endedAt = now()
          const { stored, bytes, text } = toStoredResult(result, strike)
          const error = status === 'success' ? null : text.slice(0, errorCharsMax)
          write((statements) => {
            const seq = statements.get(
              end,
              status,
              endedAt,
              durationMs,
              isAnswer ? durationMs : null,
              durationMs,
              asked,
              bytes,
              error,
              id,
            )?.['seq']
            if (typeof seq !== 'number') return false
            statements.run(endBody, stored, seq)
            indexCall(statements, seq, { agent, sessionId, server, tool, status }, [args, text])
            return true
          }, stored.length)
        },
      }

      /** `work` returns false if the call has no row. It then gets one. */
      function write(work: (statements: Statements) => boolean, bytes?: number): void {
        journal.write((statements) => {
          statements.transaction(() => {
            if (!work(statements) && add(statements)) work(statements)
          })
          generation = journal.generation
        }, bytes)
      }

      /** Also used after the database was replaced, or the call was deleted together with its open session. */
      function add(statements: Statements): boolean {
        const insertFor = (session: string | null) =>
          statements.run(
            insert,
            id,
            agent,
            session,
            turn,
            server,
            serverId,
            tool,
            ...decided,
            startedAt,
            startedMs,
            process,
          )
        try {
          insertFor(sessionId)
        } catch (error) {
          if (!isMissingParent(error)) throw error
          const isRestored = sessionId !== null && restoreSession(sessionId, statements)
          // The call was deleted together with a session that has ended.
          if (!isRestored && generation === journal.generation) return false
          insertFor(isRestored ? sessionId : null)
        }
        statements.run(insertBody, args)
        return true
      }
    },
  }
}

function toStoredResult({ content, structured }: Pick<ToolResult, 'content' | 'structured'>, strike: Strike) {
  const result = strike({ content, structured })
  const whole = JSON.stringify(result)
  const text = result.content.map(toPlainText).join('\n')
  const stored =
    whole.length <= storedCharsMax ? whole : JSON.stringify({ content: [{ type: 'text', text: cut(text) }] })
  return { stored, bytes: Buffer.byteLength(whole), text }
}

function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  return json.length <= storedCharsMax ? json : JSON.stringify(cut(json))
}

function cut(text: string): string {
  return text.length <= storedCharsMax
    ? text
    : `${text.slice(0, storedCharsMax)}\n[truncated: ${text.length} characters in all]`
}

function now(): string {
  return new Date().toISOString()
}
