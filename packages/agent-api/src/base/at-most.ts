/** Resolves to the promise's value, or to the fallback after this time. */
export async function atMost<T, F>(ms: number, promise: Promise<T>, fallback: F): Promise<T | F> {
  const late = Promise.withResolvers<F>()
  const timer = setTimeout(() => late.resolve(fallback), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
