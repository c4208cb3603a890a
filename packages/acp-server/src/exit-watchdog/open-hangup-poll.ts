import { WASI } from 'node:wasi'

/** Offsets and sizes of WASI preview 1: two subscriptions (a clock and the descriptor), then their events. */
const at = { clock: 0, descriptor: 48, events: 96, count: 160 } as const
const eventBytes = 32
const waitForWrite = 2
const monotonicClock = 1
const hangupFlag = 1
/** The clock is checked first. If it is due, the descriptor is not polled. */
const waitNs = 10_000_000n

/** TypeScript declares it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

/**
 * Returns a function that is true once nobody can write to this input any more. It reads nothing. Node offers poll(2) only through WASI,
 * and WASI only for descriptor 0, which stands for `input`.
 */
export function openHangupPoll(input: number): () => boolean {
  const wasi = new WASI({ version: 'preview1', stdin: input })
  const memory = new WebAssembly.Memory({ initial: 1 })
  wasi.initialize({ exports: { memory } })
  const poll = wasi.wasiImport['poll_oneoff'] as (...addresses: readonly number[]) => number
  const view = new DataView(memory.buffer)
  view.setUint32(at.clock + 16, monotonicClock, true)
  view.setBigUint64(at.clock + 24, waitNs, true)
  view.setUint8(at.descriptor + 8, waitForWrite)
  return () => {
    if (poll(at.clock, at.events, 2, at.count) !== 0) return false
    const end = at.events + view.getUint32(at.count, true) * eventBytes
    for (let event = at.events; event < end; event += eventBytes) {
      // The reading end of a pipe is never writable: such an event says that there is no writer. For a socket, the flag says so.
      if (view.getUint8(event + 10) === waitForWrite)
        return view.getUint16(event + 8, true) !== 0 || (view.getUint16(event + 24, true) & hangupFlag) !== 0
    }
    return false
  }
}
