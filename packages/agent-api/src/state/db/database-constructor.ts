import { createRequire } from 'node:module'

/** Loads SQLite on demand instead of at process start. */
export function databaseConstructor(): typeof import('node:sqlite').DatabaseSync {
  return (createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')).DatabaseSync
}
