/** A queue of lines for one reader. If the reader is slow, the oldest lines are dropped. */
export interface LineQueue<T> extends AsyncIterable<T, void, undefined> {
  push(line: T): void
  end(): void
}

const keptMax = 1_000

export function createLineQueue<T>(): LineQueue<T> {
  const lines: T[] = []
  let isEnded = false
  let wake = Promise.withResolvers<void>()
  return {
    push(line) {
      if (isEnded) return
      lines.push(line)
      if (lines.length > keptMax) lines.shift()
      wake.resolve()
    },
    end() {
      isEnded = true
      wake.resolve()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const line = lines.shift()
        if (line !== undefined) yield line
        else if (isEnded) return
        else {
          wake = Promise.withResolvers()
          await wake.promise
        }
      }
    },
  }
}

/** The lines that some work sends. The reader waits for its end, even if it stops reading early, and gets its error. */
export async function* linesOf<T>(work: (push: (line: T) => void) => Promise<void>): AsyncGenerator<T> {
  const queue = createLineQueue<T>()
  const ended = work((line) => queue.push(line))
  ended.then(queue.end, queue.end)
  try {
    yield* queue
  } finally {
    await ended
  }
}
