import { createRequire } from 'node:module'

/** Loaded when it is needed, and not at the start of every process. */
export function databaseConstructor(): typeof import('node:sqlite').DatabaseSync {
  return (createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')).DatabaseSync
}
