import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCredentialHash } from '../../../packages/agent-api/src/agent/credential-hash.ts'
import type { McpServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { openTempDir } from '../../support/temp-dir.ts'

const web = { type: 'http', name: 'web', url: 'https://example.com/mcp', headers: {} } as const
const oauth = { type: 'client-credentials', issuer: 'https://example.com', clientId: 'me' } as const
const program = { type: 'stdio', name: 'files', command: 'files', args: [], env: {} } as const

const different: readonly (readonly [identity: string, McpServerConfig, login?: string])[] = [
  ['web', web],
  ['another', web],
  ['web', web, 'login-1'],
  ['web', web, 'login-2'],
  ['web', { ...web, headers: { authorization: 'Bearer one' } }],
  ['web', { ...web, headers: { authorization: 'Bearer two' } }],
  ['web', { ...web, headers: { 'x-mcp-toolsets': 'Bearer two' } }],
  ['web', { ...web, oauth: { ...oauth, clientSecret: 'one' } }],
  ['web', { ...web, oauth: { ...oauth, clientSecret: 'two' } }],
  ['web', { ...web, oauth: { ...oauth, clientSecret: 'two', scope: 'read' } }],
  ['files', { ...program, env: { TOOLSETS: 'all' } }],
  ['files', { ...program, env: { TOOLSETS: 'few' } }],
  ['editor', { type: 'acp', name: 'web', serverId: 'web', editor: 'editor' }],
]

test('every credential makes another hash, which a later process with the same state also makes', async () => {
  await using dir = await openTempDir()
  const hashAll = (stateDir?: string) =>
    different.map(([identity, config, login]) =>
      createCredentialHash(stateDir, { idOf: () => login })(identity, config),
    )
  const hashes = hashAll(dir.path)
  expect(new Set(hashes).size).toBe(different.length)
  expect(hashAll(dir.path)).toEqual(hashes)
  // Without the key, nothing can be compared.
  expect(new Set([...hashes, ...hashAll()]).size).toBe(2 * different.length)
})

test('the name of a variable or header may come in any order', async () => {
  await using dir = await openTempDir()
  const hash = createCredentialHash(dir.path, undefined)
  expect(hash('files', { ...program, env: { A: '1', B: '2' } })).toBe(
    hash('files', { ...program, env: { B: '2', A: '1' } }),
  )
})

test('the key belongs to the user alone, and a damaged one is replaced', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'known-servers.key')
  await writeFile(path, 'short', { mode: 0o600 })
  const hash = createCredentialHash(dir.path, undefined)('web', web)
  expect(await readFile(path)).toHaveLength(32)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(createCredentialHash(dir.path, undefined)('web', web)).toBe(hash)
})

test('a state that cannot be written still has hashes, for this process', async () => {
  const hash = createCredentialHash('/proc/nowhere', undefined)
  expect(hash('web', web)).toBe(hash('web', web))
})
