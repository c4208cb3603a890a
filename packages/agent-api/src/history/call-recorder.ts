import { redactValue } from '../secrets/redact-value.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { SessionId } from '../ids.ts'
import { toPlainText } from '../tools/tool-result.ts'
import type { CallRecorder, StoredResult } from './call.ts'
import type { Journal } from './journal.ts'

export interface CallRecorderOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  /** Says which process a row belongs to, so that others can tell when it has died. */
  readonly process: string
  readonly agent: string
  readonly sessionId?: SessionId
  readonly turn?: number
}

/** So much of one call's arguments, and of its result, is kept. */
const storedCharsMax = 256 * 1024
/** So much of each of them can be searched for. */
const searchedCharsMax = 16 * 1024

const insert = `INSERT INTO tool_calls (id, agent, session_id, turn, server, tool, arguments, status, started_at, process)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)`
const decide = 'UPDATE tool_calls SET decision = ?, rule = ? WHERE id = ?'
const run = `UPDATE tool_calls SET status = 'running' WHERE id = ?`
const end = `UPDATE tool_calls SET status = ?, ended_at = ?, duration_ms = ?, result = ?, result_bytes = ?, error = ?
  WHERE id = ? RETURNING seq`
const index = 'INSERT INTO tool_calls_text (rowid, text) VALUES (?, ?)'

export function createCallRecorder({ journal, redactor, process, agent, sessionId, turn }: CallRecorderOptions): CallRecorder {
  return {
    async start(call) {
      const startedAt = performance.now()
      const row = [call.id, agent, sessionId ?? null, turn ?? null, call.server, call.tool] as const
      const args = toStoredJson(redactValue(call.arguments, redactor))
      const startedOn = now()
      journal.write((statements) => statements.run(insert, ...row, args, startedOn, process), args.length)
      await journal.flushed()
      return {
        decided: (decision, rule) => journal.write((statements) => statements.run(decide, decision, rule, call.id)),
        running: () => journal.write((statements) => statements.run(run, call.id)),
        ended(status, { content, structured }) {
          const durationMs = performance.now() - startedAt
          const endedOn = now()
          const result = redactValue({ content, structured }, redactor) as StoredResult
          const whole = JSON.stringify(result)
          const text = result.content.map(toPlainText).join('\n')
          const stored = whole.length <= storedCharsMax ? whole : JSON.stringify({ content: [{ type: 'text', text: cut(text) }] })
          const error = status === 'success' ? null : cut(text)
          const searched = [call.server ?? '', call.tool, args, text].map((part) => part.slice(0, searchedCharsMax)).join('\n')
          journal.write((statements) => {
            statements.transaction(() => {
              const values = [status, endedOn, durationMs, stored, Buffer.byteLength(whole), error, call.id]
              const seq = statements.get(end, ...values)?.['seq']
              if (typeof seq === 'number') statements.run(index, seq, searched)
            })
          }, stored.length)
        },
      }
    },
  }
}

function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  return json.length <= storedCharsMax ? json : JSON.stringify(cut(json))
}

function cut(text: string): string {
  return text.length <= storedCharsMax ? text : `${text.slice(0, storedCharsMax)}\n[cut here: ${text.length} characters in all]`
}

function now(): string {
  return new Date().toISOString()
}
