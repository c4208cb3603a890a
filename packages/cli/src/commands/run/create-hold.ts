/** Delays what would be shown while a question stands, so that it does not appear between the question and its answers. */
export function createHold() {
  let held: (() => void)[] | undefined
  return {
    show(work: () => void): void {
      if (held === undefined) work()
      else held.push(work)
    },
    hold(): void {
      held ??= []
    },
    resume(): void {
      const works = held ?? []
      held = undefined
      for (const work of works) work()
    },
  }
}
