/**
 * The keyring of the operating system, as little of it as we need. Whoever implements it may hang: each call gets a signal, after which
 * nobody waits for it any more.
 */
export interface Keyring {
  /** `null` is what some keyrings say when they are locked, too. */
  get(name: string, signal: AbortSignal): Promise<string | null>
  set(name: string, value: string, signal: AbortSignal): Promise<void>
  delete(name: string, signal: AbortSignal): Promise<void>
}
