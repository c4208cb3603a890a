import fs from 'node:fs'
import { openDescriptorPoll, type DescriptorPoll } from './descriptor-poll.ts'

/** Signals that have reached this process but not its event loop. */
export interface UnreadSignals {
  /**
   * Returns the signals' numbers. Only reports signals that were already waiting at the last look: a running event loop would have read
   * them since.
   */
  look(): readonly number[]
}

interface SignalPipe {
  readonly input: number
  readonly output: number
  readonly poll: DescriptorPoll
  wasReadable: boolean
}

/** libuv's signal handler writes records to a pipe for the event loop: an address and the signal's number. */
const recordBytes = 16
const numberOffset = 8
const recordsMax = 256
const nonBlocking = 0o4000

/**
 * Finds signals in the pipe between libuv's handler and the event loop. While the loop is blocked, a thread has no other way to notice
 * them. Finds nothing without /proc.
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
    // The event loop has just read them.
    return []
  }
  fs.writeSync(output, records, 0, length)
  if (length % recordBytes !== 0) return []
  return Array.from({ length: length / recordBytes }, (_, index) => records.readInt32LE(index * recordBytes + numberOffset))
}

/** Non-blocking pipes of which this process has both ends. */
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
