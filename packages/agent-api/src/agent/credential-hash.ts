import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCanonicalJson } from '../base/json.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'

/** Hashes everything that a server may take for a credential: its variables or headers, and how or by which login it gets tokens. */
type CredentialHash = (identity: string, config: McpServerConfig) => string

const keyFileName = 'known-servers.key'
const keyBytes = 32

/** The hash is keyed, so that nobody can guess a value with the help of the database alone. */
export function createCredentialHash(
  stateDir: string | undefined,
  logins: Pick<Logins, 'idOf'> | undefined,
): CredentialHash {
  let key: Buffer | undefined
  return (identity, config) => {
    key ??= keyOf(stateDir)
    return createHmac('sha256', key)
      .update(toCanonicalJson([identity, credentialsOf(config, logins)]))
      .digest('hex')
  }
}

function credentialsOf(config: McpServerConfig, logins: Pick<Logins, 'idOf'> | undefined): unknown {
  switch (config.type) {
    case 'stdio':
      return config.env
    case 'http':
    case 'sse':
      return { headers: config.headers, oauth: config.oauth, login: logins?.idOf(config) }
    case 'acp':
      return {}
  }
}

/** If the key cannot be stored, only this process has it, and the next one knows no servers. */
function keyOf(stateDir: string | undefined): Buffer {
  if (stateDir === undefined) return randomBytes(keyBytes)
  const path = join(stateDir, keyFileName)
  const stored = attempt(() => readFileSync(path))
  if (stored?.length === keyBytes) return stored
  const fresh = randomBytes(keyBytes)
  const written = attempt(() => {
    writeFileSync(path, fresh, { mode: 0o600 })
    return fresh
  })
  // A full disk leaves an empty file.
  if (written === undefined) attempt(() => rmSync(path, { force: true }))
  return fresh
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
