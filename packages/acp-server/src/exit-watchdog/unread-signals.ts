import fs from 'node:fs'
import { openDescriptorPoll, type DescriptorPoll } from './descriptor-poll.ts'

/** Signals that have reached this process and that its event loop has not come to. */
export interface UnreadSignals {
  /** Their numbers. Looks only at what waits since the last look: a loop that is alive has read it by then. */
  look(): readonly number[]
}

interface SignalPipe {
  readonly input: number
  readonly output: number
  readonly poll: DescriptorPoll
  wasReadable: boolean
}

/** libuv's handler puts an address and the number of the signal into a pipe, as one piece, for the event loop to read. */
const recordBytes = 16
const numberOffset = 8
const recordsMax = 256
const nonBlocking = 0o4000

/**
 * A signal is noticed by the event loop, and a thread that wants to know of it while the loop is stuck has no other place to look than the
 * pipe in between. Empty where there is no /proc.
 */
export function openUnreadSignals(): UnreadSignals {
  const pipes = ownPipes()
  return {
    look: () =>
      pipes.flatMap((pipe) => {
        const wasReadable = pipe.wasReadable
        pipe.wasReadable = pipe.poll.isReadable()
        return wasReadable && pipe.wasReadable ? readAndPutBack(pipe) : []
      }),
  }
}

function readAndPutBack({ input, output }: SignalPipe): number[] {
  const records = Buffer.alloc(recordsMax * recordBytes)
  let length: number
  try {
    length = fs.readSync(input, records)
  } catch {
    // The loop was faster.
    return []
  }
  fs.writeSync(output, records, 0, length)
  if (length % recordBytes !== 0) return []
  return Array.from({ length: length / recordBytes }, (_, index) => records.readInt32LE(index * recordBytes + numberOffset))
}

/** Pipes that this process has both ends of, and that nobody waits in. */
function ownPipes(): readonly SignalPipe[] {
  const ends = new Map<string, number[]>()
  for (const descriptor of descriptors()) {
    const target = targetOf(descriptor)
    if (target?.startsWith('pipe:') === true) ends.set(target, [...(ends.get(target) ?? []), descriptor])
  }
  return [...ends.values()].flatMap((pair): SignalPipe[] => {
    const [input, output] = pair.toSorted((one, other) => accessOf(one) - accessOf(other))
    if (pair.length !== 2 || input === undefined || output === undefined) return []
    if (accessOf(input) !== fs.constants.O_RDONLY || accessOf(output) !== fs.constants.O_WRONLY) return []
    if (pair.some((descriptor) => (flagsOf(descriptor) & nonBlocking) === 0)) return []
    return [{ input, output, poll: openDescriptorPoll(input), wasReadable: false }]
  })
}

function descriptors(): readonly number[] {
  try {
    return fs.readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}

function targetOf(descriptor: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

function flagsOf(descriptor: number): number {
  const [, flags = '0'] = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? []
  return Number.parseInt(flags, 8)
}

function accessOf(descriptor: number): number {
  return flagsOf(descriptor) & 3
}
