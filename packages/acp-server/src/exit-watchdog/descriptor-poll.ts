import { WASI } from 'node:wasi'

/** poll(2) for one descriptor of this process. It neither reads nor writes, so it does not interfere with other users of the descriptor. */
export interface DescriptorPoll {
  /** True if there is data or the end of the stream. */
  isReadable(): boolean
  /** True if a write would not block, or would fail at once. */
  isWritable(): boolean
  /** True for a pipe whose other end is closed, or a socket whose other end no longer writes. False for anything else. */
  isHungUp(): boolean
}

/** Size of a subscription and of an event in WASI preview 1. */
const subscriptionBytes = 48
const eventBytes = 32
const at = {
  clock: 0,
  descriptor: subscriptionBytes,
  events: 2 * subscriptionBytes,
  count: 2 * subscriptionBytes + 2 * eventBytes,
} as const

const types = { clock: 0, readable: 1, writable: 2 } as const
const monotonicClock = 1
const hangupFlag = 1
/** The clock is checked first. If it is due, the descriptor is not polled. */
const waitNs = 10_000_000n

/** TypeScript declares it for browsers only. */
declare const WebAssembly: { readonly Memory: new (pages: { readonly initial: number }) => { readonly buffer: ArrayBuffer } }

/** Node only offers poll(2) through WASI. Throws if it is not available. */
export function openDescriptorPoll(descriptor: number): DescriptorPoll {
  // WASI only polls descriptor 0.
  const wasi = new WASI({ version: 'preview1', stdin: descriptor })
  const memory = new WebAssembly.Memory({ initial: 1 })
  wasi.initialize({ exports: { memory } })
  const poll = wasi.wasiImport['poll_oneoff'] as (subscriptions: number, events: number, size: number, count: number) => number
  const view = new DataView(memory.buffer)

  function eventOf(type: number): { readonly error: number; readonly flags: number } | undefined {
    new Uint8Array(memory.buffer, 0, at.count + 4).fill(0)
    view.setUint8(at.clock + 8, types.clock)
    view.setUint32(at.clock + 16, monotonicClock, true)
    view.setBigUint64(at.clock + 24, waitNs, true)
    view.setUint8(at.descriptor + 8, type)
    if (poll(at.clock, at.events, 2, at.count) !== 0) return undefined
    for (let event = at.events; event < at.events + view.getUint32(at.count, true) * eventBytes; event += eventBytes) {
      if (view.getUint8(event + 10) === type) return { error: view.getUint16(event + 8, true), flags: view.getUint16(event + 24, true) }
    }
    return undefined
  }

  return {
    isReadable: () => eventOf(types.readable)?.error === 0,
    isWritable: () => eventOf(types.writable) !== undefined,
    isHungUp() {
      // The reading end of a pipe is never writable, so any event means that there is no longer a writer. For the writing end, a missing
      // reader is an error.
      const event = eventOf(types.writable)
      return event !== undefined && (event.error !== 0 || (event.flags & hangupFlag) !== 0)
    },
  }
}
