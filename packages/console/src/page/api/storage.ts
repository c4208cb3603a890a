import type { Entered } from '../../api.ts'

/** The storage of this origin: unlike a cookie, it is for one port only. All tabs share it. It may be disabled. */
export function readStored(name: 'key' | 'notify' | 'theme'): string | undefined {
  try {
    return localStorage.getItem(`ostler.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

export function store(name: 'key' | 'notify' | 'theme', value: string): void {
  try {
    localStorage.setItem(`ostler.${name}`, value)
  } catch {
    // Without storage, nothing is remembered.
  }
}

/** If storage is disabled, the key lasts until the page is closed. */
let own: string | undefined

export function loadKey(): string | undefined {
  return readStored('key') ?? own
}

export function storeKey({ key }: Entered): void {
  own = key
  store('key', key)
}
