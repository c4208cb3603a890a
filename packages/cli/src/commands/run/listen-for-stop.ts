import type { Io } from '../../terminal/io.ts'
import { exitCodes, signalExitCode, type RunEnd } from './exit-codes.ts'

export interface Ended {
  readonly end: RunEnd
  readonly exitCode: number
  /** The message that contains an error of the model. */
  readonly errorId?: string
}

export interface StopListener extends Disposable {
  /** Settles when the run should stop early: after a signal, at the timeout, or when the reader has closed the output. */
  readonly asked: Promise<Ended>
  isAsked(): boolean
}

/** Maximum duration of a requested shutdown. */
const exitMsMax = 4_600

/** Once a stop is requested, the process ends in bounded time. A second signal ends it at once. */
export function listenForStop(
  io: Pick<Io, 'stdout' | 'onEndSignal' | 'exitWithin'>,
  timeoutMs: number | undefined,
): StopListener {
  const { promise: asked, resolve } = Promise.withResolvers<Ended>()
  let isAsked = false
  const stop = (end: RunEnd, exitCode: number = exitCodes[end]) => {
    io.exitWithin(isAsked ? 0 : exitMsMax, exitCode)
    isAsked = true
    resolve({ end, exitCode })
  }
  const onError = ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' && !isAsked) stop('closed_output')
  }
  io.stdout.on('error', onError)
  const signals = io.onEndSignal((signal) => stop('cancelled', signalExitCode(signal)))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => isAsked || stop('timeout'), timeoutMs)
  return {
    asked,
    isAsked: () => isAsked,
    [Symbol.dispose]() {
      io.stdout.off('error', onError)
      signals[Symbol.dispose]()
      clearTimeout(timer)
    },
  }
}
