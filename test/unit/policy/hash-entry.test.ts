import { describe, expect, it, test } from 'vitest'
import { hashEntry } from '../../../packages/agent-api/src/policy/hash-entry.ts'

const entry = { type: 'stdio', command: 'npx', args: ['-y', 'server', '${FOLDER}'], env: { TOKEN: 'one' } }

describe('an entry that starts the same server has the same hash', () => {
  test.each<[string, object]>([
    ['without a type', { ...entry, type: undefined }],
    ['another secret', { ...entry, env: { TOKEN: 'two' } }],
    ['a secret in a store', { ...entry, env: { TOKEN: '${secret:env.TOKEN}' } }],
    ['other limits', { ...entry, timeout: 5, description: 'Files', enabled: false, mode: 'strict' }],
    ['another order', Object.fromEntries(Object.entries(entry).toReversed())],
  ])('%s', (_, other) => {
    expect(hashEntry(other)).toBe(hashEntry(entry))
  })
})

describe('an entry that starts another one has another hash', () => {
  test.each<[string, object]>([
    ['another command', { ...entry, command: 'bunx' }],
    ['other arguments', { ...entry, args: ['-y', 'server'] }],
    ['another reference', { ...entry, args: ['-y', 'server', '${HOME}'] }],
    ['another folder', { ...entry, cwd: '/srv' }],
    ['another variable', { ...entry, env: { TOKEN: 'one', DEBUG: '1' } }],
    ['code that is loaded', { ...entry, env: { TOKEN: 'one', NODE_OPTIONS: '--import x' } }],
  ])('%s', (_, other) => {
    expect(hashEntry(other)).not.toBe(hashEntry(entry))
  })

  it('a variable that loads other code', () => {
    const withOptions = (value: string) => hashEntry({ ...entry, env: { NODE_OPTIONS: value } })
    expect(withOptions('--import x')).not.toBe(withOptions('--import y'))
  })
})

it('of a remote server, the address and the names of headers count, and no secret', () => {
  const hashOf = (url: string, headers: object) => hashEntry({ type: 'http', url, headers })
  const hash = hashOf('https://a.example/mcp?api_key=sk-one-234567890abcdef', { 'X-Key': 'one' })
  expect(hashOf('https://a.example/mcp?api_key=sk-two-234567890abcdef', { 'x-key': 'two' })).toBe(hash)
  expect(hashOf('https://b.example/mcp?api_key=sk-one-234567890abcdef', { 'X-Key': 'one' })).not.toBe(hash)
  expect(hashOf('https://a.example/mcp?api_key=sk-one-234567890abcdef', {})).not.toBe(hash)
})

it('what an editor passes has the hash of the same entry in a file', () => {
  const config = { name: 'files', type: 'stdio', command: 'npx', args: [], env: {}, connectTimeoutMs: 5 }
  expect(hashEntry(config)).toBe(hashEntry({ command: 'npx' }))
})
