import { checkName, checkSecret, type SecretStore } from './secret-store.ts'

/** Keeps secrets until the process ends. The last fallback: secrets are never written as plain text. */
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
