import { formatBytes } from '../base/quantities.ts'

/** Counts bytes that are held at the same time, here and in the enclosing budget. */
export interface ByteBudget {
  /** Adds bytes, or releases them if negative. If there is no room, it adds nothing and names the limit. */
  take(bytes: number): string | undefined
}

/** `holder` completes the sentence "… hold more than 32 MiB". */
export function createByteBudget(options: {
  bytesMax: number
  holder: string
  within?: ByteBudget
}): ByteBudget {
  const { bytesMax, holder, within } = options
  let held = 0
  return {
    take(bytes) {
      if (bytes > 0 && held + bytes > bytesMax) return `${holder} hold more than ${formatBytes(bytesMax)}`
      const limit = within?.take(bytes)
      if (limit === undefined) held += bytes
      return limit
    },
  }
}

const processBytesMax = 128 * 1024 * 1024

/** Everything that is received counts here until it is complete, because one process has one memory. */
export const processBudget = createByteBudget({
  bytesMax: processBytesMax,
  holder: 'all unfinished answers together',
})
