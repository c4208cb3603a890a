/** A promise that can be opened once. */
export interface Latch {
  readonly opened: Promise<void>
  readonly isOpen: boolean
  open(): void
}

export function createLatch(): Latch {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOpen = false
  return {
    opened: promise,
    get isOpen() {
      return isOpen
    },
    open() {
      isOpen = true
      resolve()
    },
  }
}
