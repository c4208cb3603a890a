import type { ServerView } from '@ostler/agent-api'

/** Where secrets are, for a person. */
export const secretStoreNames: Readonly<Record<NonNullable<ServerView['secretStore']>, string>> = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory',
}
