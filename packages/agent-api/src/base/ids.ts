import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** The id of a session. Never reused. */
export type SessionId = string
export type ToolCallId = string
export type MessageId = string
export type CompactionId = string

export function createSessionId(): SessionId {
  return createUuid()
}

export function createMessageId(): MessageId {
  return `msg_${createUuid()}`
}

/** For a message in which Ostler itself reports on a session's servers. The prefix separates it from messages of the model. */
export function createReportId(): MessageId {
  return `report_${createUuid()}`
}

/** Ostler makes its own tool call ids, because some vendors repeat theirs from turn to turn. */
export function createToolCallId(): ToolCallId {
  return `call_${createUuid()}`
}

export function createCompactionId(): CompactionId {
  return `compaction_${createUuid()}`
}

const idBytes = 16
/** A turn needs about ten ids. */
const poolBytes = 32 * idBytes
let pool: Buffer = Buffer.alloc(0)

function createUuid(): string {
  if (pool.length === 0) pool = randomFromSystem() ?? randomBytes(poolBytes)
  const bytes = pool.subarray(0, idBytes)
  pool = pool.subarray(idBytes)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Loading `node:crypto` takes longer than opening a session. Undefined if this system has no such device. */
function randomFromSystem(): Buffer | undefined {
  try {
    const device = openSync('/dev/urandom', 'r')
    try {
      const bytes = Buffer.alloc(poolBytes)
      return readSync(device, bytes) === bytes.length ? bytes : undefined
    } finally {
      closeSync(device)
    }
  } catch {
    return undefined
  }
}
