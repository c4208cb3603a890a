/** Lines that come when they come, for one reader. Of those that nobody has taken yet only the last so many are kept. */
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
