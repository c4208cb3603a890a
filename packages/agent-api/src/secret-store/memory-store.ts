import { checkName, checkSecret, type SecretStore } from './secret-store.ts'

/** Forgets everything when the process ends. The last resort: nothing is ever written in plain text instead. */
export function createMemoryStore(): SecretStore {
  const secrets = new Map<string, string>()
  return {
    kind: 'memory',
    async get(name) {
      checkName(name)
      return secrets.get(name)
    },
    async set(name, value) {
      checkSecret(name, value)
      secrets.set(name, value)
    },
    async delete(name) {
      checkName(name)
      secrets.delete(name)
    },
  }
}
