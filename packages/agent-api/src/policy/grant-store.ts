import type { Grant } from './approval.ts'

/** Where grants outlive a session. */
export interface GrantStore {
  list(): readonly StoredGrant[]
  /** All or none. A newer word on the same tool takes the place of the older. */
  add(grants: readonly Grant[]): void
  /** True when there was one. */
  revoke(id: number): boolean
}

export interface StoredGrant extends Grant {
  readonly id: number
  readonly createdAt: string
}

/** For an agent without a state directory: grants live as long as the process. */
export function createMemoryGrantStore(): GrantStore {
  let grants: StoredGrant[] = []
  let lastId = 0
  return {
    list: () => grants,
    add(added) {
      const createdAt = new Date().toISOString()
      const isReplaced = ({ ref }: Grant) => added.some((grant) => grant.ref.server === ref.server && grant.ref.tool === ref.tool)
      grants = [...grants.filter((grant) => !isReplaced(grant)), ...added.map((grant) => ({ ...grant, id: ++lastId, createdAt }))]
    },
    revoke(id) {
      const before = grants.length
      grants = grants.filter((grant) => grant.id !== id)
      return grants.length < before
    },
  }
}

/** Opened when somebody first asks: a session without a single call needs no database. */
export function createLazyGrantStore(open: () => GrantStore): GrantStore {
  let opened: GrantStore | undefined
  const store = () => (opened ??= open())
  return {
    list: () => store().list(),
    add: (grants) => store().add(grants),
    revoke: (id) => store().revoke(id),
  }
}
