/** Methods of lists that neither look at all elements nor copy them. */
const cheap: ReadonlySet<string | symbol> = new Set(['at', 'constructor', 'pop', 'push'])

/**
 * Counts the elements of lists that a function looks at or copies, and its look-ups in maps. Unlike its time, the count is the same on every
 * machine.
 */
export async function countWork(run: () => unknown): Promise<number> {
  let work = 0
  const undo: (() => void)[] = []
  const count = (
    owner: object,
    name: string | symbol,
    costOf: (self: { readonly length: number }) => number,
  ) => {
    const original = Object.getOwnPropertyDescriptor(owner, name)
    if (typeof original?.value !== 'function') return
    const method = original.value as (...args: unknown[]) => unknown
    undo.push(() => Object.defineProperty(owner, name, original))
    Object.defineProperty(owner, name, {
      ...original,
      value(this: { readonly length: number }, ...args: unknown[]) {
        work += costOf(this)
        return Reflect.apply(method, this, args)
      },
    })
  }
  for (const name of Reflect.ownKeys(Array.prototype))
    if (!cheap.has(name)) count(Array.prototype, name, ({ length }) => length)
  for (const { prototype } of [Map, Set, WeakMap])
    for (const name of ['get', 'set', 'has', 'add']) count(prototype, name, () => 1)
  try {
    await run()
    return work
  } finally {
    for (const each of undo) each()
  }
}
