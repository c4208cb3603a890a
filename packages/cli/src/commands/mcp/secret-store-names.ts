import type { ServerView } from '@ostler/workbench'

/** Names of the secret stores, for a person. */
export const secretStoreNames: Readonly<Record<NonNullable<ServerView['secretStore']>, string>> = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory',
}
