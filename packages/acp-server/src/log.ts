import fs from 'node:fs'
import { logLevels, OstlerError, toSystemReason, type LogFields, type Logger, type LogLevel, type Redactor } from '@ostler/agent-api'

/** What may wait for someone to read stderr; above it lines are lost rather than memory. */
const stderrBytesMax = 1024 * 1024

export interface LogOptions {
  readonly level: LogLevel
  /** Gets every line as well. */
  readonly file: string | undefined
  readonly redactor: Redactor
}

/** One line per record, redacted as a whole. Files are written at once: editors end their agents without a warning. */
export function openLog({ level, file, redactor }: LogOptions): Logger {
  const descriptor = file === undefined ? undefined : openFile(file)
  const threshold = logLevels.indexOf(level)
  const at = (recordLevel: LogLevel) => {
    if (logLevels.indexOf(recordLevel) > threshold) return () => undefined
    return (message: string, fields?: LogFields) => {
      const line = `${toLine(recordLevel, redactor.redact(message), fields === undefined ? '' : redactor.redact(toJson(fields)))}\n`
      writeToStderr(line)
      if (descriptor !== undefined) writeToFile(descriptor, line)
    }
  }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

function openFile(path: string): number {
  try {
    return fs.openSync(path, 'a', 0o600)
  } catch (error) {
    throw new OstlerError('config.log_file', `The log file ${path} cannot be opened: ${toSystemReason(error)}.`, { cause: error })
  }
}

function toLine(level: LogLevel, message: string, fields: string): string {
  const text = `${new Date().toISOString()} ${level} ${message}${fields === '' ? '' : ` ${fields}`}`
  return text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`)
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
