import { shownSize } from '../base/shown-size.ts'

/** Counts the bytes that are held at one time, here and in the budget around this one. */
export interface ByteBudget {
  /** Counts more bytes, or fewer when negative. Without room it counts nothing and names the limit that was reached. */
  take(bytes: number): string | undefined
}

/** `holder` completes the sentence "… hold more than 32 MiB". */
export function createByteBudget(options: { bytesMax: number; holder: string; within?: ByteBudget }): ByteBudget {
  const { bytesMax, holder, within } = options
  let held = 0
  return {
    take(bytes) {
      if (bytes > 0 && held + bytes > bytesMax) return `${holder} hold more than ${shownSize(bytesMax)}`
      const limit = within?.take(bytes)
      if (limit === undefined) held += bytes
      return limit
    },
  }
}

const processBytesMax = 128 * 1024 * 1024

/** One process has one memory: everything that is received counts here until it is whole. */
export const processBudget = createByteBudget({ bytesMax: processBytesMax, holder: 'all unfinished answers together' })
