import { isRecord } from '../base/is-record.ts'
import { measureJson, shortenJson } from './shorten-json.ts'

/** The last messages between a client and its server, for a person. Bounded, whatever the server sends. */
export interface ProtocolLog {
  /** Keeps a message. Cheap, because a server may send many. */
  add(from: ProtocolSide, message: unknown): void
  /** The kept messages, oldest first. Their values hold secrets. */
  messages(): readonly KeptMessage[]
  /** Number of messages that were dropped, at once or later. */
  readonly leftOut: number
  onAdd(listener: () => void): () => void
}

type ProtocolSide = 'client' | 'server'

export interface KeptMessage {
  /** Counts all kept messages of the log. */
  readonly seq: number
  readonly at: number
  readonly from: ProtocolSide
  readonly kind: 'request' | 'result' | 'error' | 'notification'
  /** For an answer: the method of its request, if known. */
  readonly method: string
  readonly id?: string
  /** Length of its JSON. For a huge message, the length of the part that was counted. */
  readonly chars: number
  readonly isVast: boolean
  /** The JSON. A long message is shortened, but remains valid JSON. */
  readonly json: string
  /** True if only its beginning was kept. */
  readonly isCut: boolean
  /** Time between a request and its answer. Set on both. */
  durationMs?: number
  /** The request that an answer belongs to, or the answer. */
  otherSeq?: number
}

const messagesMax = 1_000
const charsMax = 2_000_000
const messageCharsMax = 32_000
const valuesCountedMax = 20_000
/** A flood of notifications must not push out everything else. */
const notificationsMax = 100
const notificationsEveryMs = 1_000
const methodCharsMax = 200

export function createProtocolLog(now: () => number = () => performance.now()): ProtocolLog {
  const kept: KeptMessage[] = []
  const listeners = new Set<() => void>()
  /** Requests without an answer, by side and id. */
  const open = new Map<string, { readonly message: KeptMessage; readonly since: number }>()
  const totals = { seq: 0, chars: 0, leftOut: 0 }
  let window = { since: Number.NEGATIVE_INFINITY, count: 0 }

  function isFlood(): boolean {
    if (now() - window.since > notificationsEveryMs) window = { since: now(), count: 0 }
    window.count++
    return window.count > notificationsMax
  }

  function trim(): void {
    while (kept.length > messagesMax || totals.chars > charsMax) {
      const oldest = kept.shift()
      if (oldest === undefined) return
      totals.chars -= oldest.json.length
      totals.leftOut += 1
      open.delete(keyOf(oldest.from, oldest.id))
    }
  }

  function settle(answer: KeptMessage): void {
    const key = keyOf(answer.from === 'client' ? 'server' : 'client', answer.id)
    const request = open.get(key)
    if (request === undefined) return
    open.delete(key)
    answer.durationMs = request.message.durationMs = now() - request.since
    answer.otherSeq = request.message.seq
    request.message.otherSeq = answer.seq
  }

  return {
    add(from, raw) {
      if (!isRecord(raw)) return
      const { id, method } = raw
      const kind = kindOf(raw)
      if (kind === 'notification' && isFlood()) return void (totals.leftOut += 1)
      const idText =
        typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, methodCharsMax) : undefined
      const asked =
        kind === 'result' || kind === 'error'
          ? open.get(keyOf(from === 'client' ? 'server' : 'client', idText))
          : undefined
      const message = toKept({
        from,
        kind,
        id: idText,
        method: textOf(method ?? asked?.message.method),
        raw,
        seq: (totals.seq += 1),
      })
      kept.push(message)
      totals.chars += message.json.length
      if (kind === 'request') open.set(keyOf(from, idText), { message, since: now() })
      else if (kind !== 'notification') settle(message)
      trim()
      for (const listener of listeners) listener()
    },
    messages: () => kept,
    get leftOut() {
      return totals.leftOut
    },
    onAdd(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

interface Received extends Pick<KeptMessage, 'from' | 'kind' | 'method' | 'seq'> {
  readonly id: string | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

function toKept({ raw, id, ...about }: Received): KeptMessage {
  const { chars, isWhole } = measureJson(raw, valuesCountedMax)
  const isCut = !isWhole || chars > messageCharsMax
  const json = JSON.stringify(isCut ? shortenJson(raw, messageCharsMax) : raw)
  return {
    ...about,
    ...(id !== undefined && { id }),
    at: Date.now(),
    chars: isCut ? chars : json.length,
    isVast: !isWhole,
    json,
    isCut,
  }
}

function kindOf({ id, method, error }: Readonly<Record<string, unknown>>): KeptMessage['kind'] {
  if (method !== undefined) return id === undefined ? 'notification' : 'request'
  return error === undefined ? 'result' : 'error'
}

function keyOf(from: ProtocolSide, id: string | undefined): string {
  return `${from} ${id ?? ''}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, methodCharsMax) : ''
}
