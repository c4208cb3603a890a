import type { Grant } from './approval.ts'

/** Where grants outlive a session. */
export interface GrantStore {
  list(): readonly StoredGrant[]
  /** All or none. A newer word on the same tool takes the place of the older. */
  add(grants: readonly Grant[]): Promise<void>
  /** True when there was one. */
  revoke(id: number): Promise<boolean>
}

export interface StoredGrant extends Grant {
  readonly id: number
  readonly createdAt: string
}
