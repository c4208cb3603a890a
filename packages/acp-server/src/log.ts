import fs from 'node:fs'
import { devNull } from 'node:os'
import { logLevels, OstlerError, toSystemReason, type LogFields, type Logger, type LogLevel, type Redactor } from '@ostler/agent-api'
import { appendWithoutWaiting, toLogLine } from './log-line.ts'

/** What may wait for someone to read stderr; above it lines are lost rather than memory. */
const stderrBytesMax = 1024 * 1024

export interface LogOptions {
  readonly level: LogLevel
  /** Gets every line as well. */
  readonly file: string | undefined
  readonly redactor: Redactor
}

export interface Log extends Logger {
  /** For what a person reads on stderr in another form: an ERROR record in the file alone. */
  recordError(message: string): void
}

/** One line per record, redacted as a whole. Files are written at once: editors end their agents without a warning. */
export function openLog({ level, file, redactor }: LogOptions): Log {
  const descriptor = file === undefined ? undefined : openFile(file)
  const threshold = logLevels.indexOf(level)
  const at = (recordLevel: LogLevel) => {
    if (logLevels.indexOf(recordLevel) > threshold) return () => undefined
    return (message: string, fields?: LogFields) => {
      const line = toLogLine(recordLevel, redactor.redact(message), fields === undefined ? '' : redactor.redact(toJson(fields)))
      writeToStderr(line)
      if (descriptor !== undefined) writeToFile(descriptor, line)
    }
  }
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    recordError(message) {
      if (descriptor !== undefined) writeToFile(descriptor, toLogLine('error', redactor.redact(message)))
    },
  }
}

/** A pipe, a terminal or a device could keep us waiting at any record. */
function openFile(path: string): number {
  const unusable = (reason: string, cause?: unknown) =>
    new OstlerError('config.log_file', `The log file ${path} cannot be opened: ${reason}.`, { cause })
  try {
    // Without a reader, opening a pipe to write would wait for one; this way it fails.
    const descriptor = fs.openSync(path, appendWithoutWaiting, 0o600)
    if (path === devNull || fs.fstatSync(descriptor).isFile()) return descriptor
    fs.closeSync(descriptor)
  } catch (error) {
    throw unusable(isNoReader(error) ? notAFile : toSystemReason(error), error)
  }
  throw unusable(notAFile)
}

const notAFile = 'it is not a regular file'

function isNoReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENXIO'
}

function toJson(fields: LogFields): string {
  try {
    return JSON.stringify(fields)
  } catch {
    return '"fields that cannot be shown"'
  }
}

let stderrIsWatched = false

function writeToStderr(line: string): void {
  const { stderr } = process
  if (!stderrIsWatched) {
    // An editor that closes its end of stderr must not end us with an error nobody handles.
    stderr.on('error', () => undefined)
    stderrIsWatched = true
  }
  if (stderr.writableLength < stderrBytesMax) stderr.write(line)
}

function writeToFile(descriptor: number, line: string): void {
  try {
    fs.writeSync(descriptor, line)
  } catch {
    // A full disk must not end a session.
  }
}
