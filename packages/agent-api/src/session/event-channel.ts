/** `push` settles when the value is consumed, so a slow consumer slows the producer down. */
export interface EventChannel<T> extends AsyncIterable<T> {
  push(value: T): Promise<void>
  end(error?: unknown): void
}

export function createEventChannel<T>(): EventChannel<T> {
  const waiting: { value: T; taken: () => void }[] = []
  let ended: { error?: unknown } | undefined
  let wake: (() => void) | undefined

  return {
    push(value) {
      if (ended !== undefined) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ value, taken: resolve })
      wake?.()
      return promise
    },
    end(error) {
      ended ??= error === undefined ? {} : { error }
      wake?.()
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const next = waiting.shift()
          if (next !== undefined) {
            try {
              yield next.value
            } finally {
              next.taken()
            }
          } else if (ended !== undefined) {
            if ('error' in ended) throw ended.error
            return
          } else {
            await new Promise<void>((resolve) => (wake = resolve))
          }
        }
      } finally {
        // A consumer that leaves must not block the producer forever.
        ended ??= {}
        for (const { taken } of waiting.splice(0)) taken()
      }
    },
  }
}
