import fs from 'node:fs'
import { devNull } from 'node:os'
import { OstlerError, type LogFields, type Logger, type LogLevel, type Redactor } from '@ostler/agent-api'
import { logLevels, toSystemReason } from '@ostler/agent-api/internal'
import { appendWithoutWaiting, toLogLine } from './exit-watchdog/log-line.ts'

/** Limit on unread stderr output. Above it, lines are dropped to save memory. */
const stderrBytesMax = 1024 * 1024

export interface LogOptions {
  readonly level: LogLevel
  readonly file: string | undefined
  readonly redactor: Redactor
}

export interface Log extends Logger {
  /** Writes an error to the file only. For messages that a person reads on stderr in another form. */
  recordError(message: string): void
}

/**
 * Opens the log. Writes one redacted line per record, and writes to the file synchronously, because editors end their agents without
 * warning.
 */
export function openLog({ level, file, redactor }: LogOptions): Log {
  const descriptor = file === undefined ? undefined : openFile(file)
  const threshold = logLevels.indexOf(level)
  const at = (recordLevel: LogLevel) => {
    if (logLevels.indexOf(recordLevel) > threshold) return () => undefined
    return (message: string, fields?: LogFields) => {
      const line = toLogLine(
        recordLevel,
        redactor.redact(message),
        fields === undefined ? '' : redactor.redact(toJson(fields)),
      )
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

/** Only accepts regular files: a pipe, terminal or device could block. */
function openFile(path: string): number {
  const unusable = (reason: string, cause?: unknown) =>
    new OstlerError('config.log_file', `The log file ${path} cannot be opened: ${reason}.`, { cause })
  try {
    // Opening a pipe without a reader fails with this flag instead of blocking.
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
    // An editor that closes its end of stderr must not crash this process.
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
