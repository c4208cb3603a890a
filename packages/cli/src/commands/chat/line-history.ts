import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '@ostler/agent-api/internal'

const fileName = 'chat-lines.jsonl'
const linesMax = 500
const lineCharsMax = 10_000
/** Above this, only the last lines are kept. */
const fileBytesMax = 512 * 1024

export type LineHistory = ReturnType<typeof loadLineHistory>

/** The lines that a person typed in chats, oldest first. Works without a file if it cannot be read or written: it is a convenience. */
export function loadLineHistory(stateDir: string | undefined) {
  const file = stateDir === undefined ? undefined : join(stateDir, fileName)
  let lines: readonly string[] = file === undefined ? [] : readLines(file)
  return {
    get lines() {
      return lines
    },
    /** As in a shell, a line that begins with a space is not kept, and a repeated one only once. */
    add(line: string): void {
      if (line.startsWith(' ') || line.length > lineCharsMax || line === lines.at(-1)) return
      lines = [...lines, line].slice(-linesMax)
      if (file === undefined || stateDir === undefined) return
      try {
        makeDirectory(stateDir)
        appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      } catch {
        // A full disk must not end a chat.
      }
    },
  }
}

function readLines(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8')
    const lines = text.split('\n').flatMap(parseLine).slice(-linesMax)
    if (text.length > fileBytesMax)
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
    return lines
  } catch {
    return []
  }
}

function parseLine(json: string): string[] {
  try {
    const line: unknown = JSON.parse(json)
    return typeof line === 'string' ? [line] : []
  } catch {
    return []
  }
}
