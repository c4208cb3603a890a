/**
 * The part of the system keyring that Ostler uses. An implementation may hang, so every call takes a signal after which its result is
 * ignored.
 */
export interface Keyring {
  /** Some keyrings also return `null` while they are locked. */
  get(name: string, signal: AbortSignal): Promise<string | null>
  set(name: string, value: string, signal: AbortSignal): Promise<void>
  delete(name: string, signal: AbortSignal): Promise<void>
}
