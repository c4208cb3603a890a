import { exceededLimit } from '../base/json-limits.ts'
import { isRecord } from '../base/is-record.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'
import type { Redactor } from '../redaction/redact.ts'
import { mcpLogLevels, type McpLogLevel } from '../messages/log-level.ts'
import { serverText } from './server-text.ts'
import type { StderrLine } from './transports/stderr-tail.ts'

/** A message that a server logged, cleaned and redacted. */
export interface McpLogEntry {
  /** Time of arrival, in ISO 8601. */
  readonly at: string
  readonly level: McpLogLevel
  /** The part of the server that logged it. */
  readonly logger?: string
  readonly text: string
}

/** The end of a server's log and of its stderr output. Survives a new connection. */
export interface ServerLog {
  /** The least severe messages that are requested and kept. */
  level: McpLogLevel
  /** Keeps the parameters of a notification. Cheap, because a server may send many. */
  add(params: unknown): void
  /** The kept messages, oldest first. */
  entries(): readonly McpLogEntry[]
  /** From now on, stderr output is read here. What was read before stays. */
  follow(source: StderrSource): void
  /** The last lines, oldest first. */
  stderr(): readonly StderrLine[]
}

/** The last lines that a process wrote, even after its end. */
type StderrSource = (linesMax: number) => readonly StderrLine[]

const entriesMax = 200
/** More than is shown, so that a secret at the end of the shown part is found whole. */
const keptLimits = { charsMax: 4_000, depthMax: 16 }
const shownCharsMax = 1_000
const loggerCharsMax = 100
const stderrLinesMax = 200
export const logLevelDefault: McpLogLevel = 'warning'

interface Kept {
  readonly at: number
  readonly level: McpLogLevel
  readonly logger: string
  readonly data: string
}

export function createServerLog(redactor: Redactor): ServerLog {
  const kept: Kept[] = []
  let earlier: readonly StderrLine[] = []
  let source: StderrSource = () => []
  const stderr = () => [...earlier, ...source(stderrLinesMax)].slice(-stderrLinesMax)
  const log: ServerLog = {
    level: logLevelDefault,
    add(params) {
      if (!isRecord(params)) return
      const level = mcpLogLevels.find((known) => known === params['level'])
      // A server need not respect the level that was set.
      if (level === undefined || severityOf(level) < severityOf(log.level)) return
      const { data, logger } = params
      kept.push({
        at: Date.now(),
        level,
        logger: typeof logger === 'string' ? copyOf(logger, loggerCharsMax) : '',
        data: textOf(data),
      })
      if (kept.length > entriesMax) kept.shift()
    },
    entries: () =>
      kept.map(({ at, level, logger, data }) => {
        const name = stripHiddenLine(serverText(logger, redactor, loggerCharsMax))
        const text = serverText(data, redactor, shownCharsMax)
        return { at: new Date(at).toISOString(), level, ...(name !== '' && { logger: name }), text }
      }),
    follow(next) {
      earlier = stderr()
      source = next
    },
    // Again, because a secret may have become known since.
    stderr: () => stderr().map(({ at, text }) => ({ at, text: redactor.redact(text) })),
  }
  return log
}

function severityOf(level: McpLogLevel): number {
  return mcpLogLevels.indexOf(level)
}

/** Any JSON value may be logged. */
function textOf(data: unknown): string {
  if (typeof data === 'string') return copyOf(data, keptLimits.charsMax)
  if (exceededLimit(data, keptLimits) !== undefined) return '(a value that is too large to be shown)'
  const message = isRecord(data) && Object.keys(data).length === 1 ? data['message'] : undefined
  return typeof message === 'string' ? message : (JSON.stringify(data) ?? '')
}

/** A part of a string would keep the whole string in memory. */
function copyOf(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : Buffer.from(text.slice(0, charsMax)).toString()
}
