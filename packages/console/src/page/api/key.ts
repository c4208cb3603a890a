import type { Entered } from '../../api.ts'

/** The storage of this origin: unlike a cookie, it is for one port only. All tabs share it. */
const storedAs = 'ostler.key'
/** If storage is disabled, the key lasts until the page is closed. */
let own: string | undefined

export function loadKey(): string | undefined {
  try {
    return localStorage.getItem(storedAs) ?? own
  } catch {
    return own
  }
}

export function storeKey({ key }: Entered): void {
  own = key
  try {
    localStorage.setItem(storedAs, key)
  } catch {
    // See above.
  }
}
