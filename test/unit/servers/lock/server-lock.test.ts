import { describe, expect, it, test } from 'vitest'
import {
  parseServerLock,
  partsNotLocked,
  toLockText,
  toServerLock,
  type LockedServer,
} from '../../../../packages/agent-api/src/servers/lock/server-lock.ts'

const entry = 'e'.repeat(64)
const files: LockedServer = {
  owner: 'agent',
  name: 'files',
  entry,
  definitions: {
    'tool:read file': { name: 'read file', description: 'Reads' },
    'tool:write': { name: 'write', description: 'Writes' },
    'prompt:ask': { name: 'ask' },
    instructions: { instructions: 'Be brief' },
  },
}
const notes: LockedServer = { owner: 'editor', name: 'my "own" notes', entry, definitions: {} }
const changed: LockedServer = {
  ...files,
  definitions: { ...files.definitions, 'tool:write': { name: 'write', description: 'Sends' } },
}
const lock = toServerLock([files, notes])

it('the text is the same for the same servers, in any order, and is read back', () => {
  const text = toLockText(lock)
  expect(toLockText(toServerLock([notes, files]))).toBe(text)
  expect(text.split('\n').map((line) => line.replace(/[\da-f]{32}$/, 'HASH'))).toEqual([
    '# Made by `ostler mcp lock`, to be committed. Agents leave out what differs from it.',
    'ostler.lock 1',
    '',
    'agent "files" entry HASH',
    'agent "files" instructions HASH',
    'agent "files" prompt:ask HASH',
    'agent "files" tool:read file HASH',
    'agent "files" tool:write HASH',
    'editor "my \\"own\\" notes" entry HASH',
    '',
  ])
  expect(parseServerLock(text)).toEqual(lock)
  expect(parseServerLock(`\n# A remark\r\n${text.replaceAll('\n', '\r\n')}`)).toEqual(lock)
})

it('only the line of what changed is another', () => {
  const lines = toLockText(lock).split('\n')
  const now = toLockText(toServerLock([changed, notes])).split('\n')
  expect(now.filter((line) => !lines.includes(line))).toEqual([expect.stringContaining('tool:write')])
  expect(now).toHaveLength(lines.length)
})

const hash = 'a'.repeat(32)

describe('a text that is not a lock', () => {
  test.each([
    ['', "it does not begin with 'ostler.lock 1'"],
    ['# only a remark', "it does not begin with 'ostler.lock 1'"],
    ['\nostler.lock 2', "it does not begin with 'ostler.lock 1'"],
    ['secret: hunter2', "it does not begin with 'ostler.lock 1'"],
    [`ostler.lock 1\nagent files entry ${hash}`, 'line 2 is not one more part of a server with its hash'],
    [
      `ostler.lock 1\n\nsession "files" entry ${hash}`,
      'line 3 is not one more part of a server with its hash',
    ],
    [`ostler.lock 1\nagent "files" entry ${hash}a`, 'line 2 is not one more part of a server with its hash'],
    [`ostler.lock 1\nagent "files" tool: ${hash}`, 'line 2 is not one more part of a server with its hash'],
    [`ostler.lock 1\nagent "files" other ${hash}`, 'line 2 is not one more part of a server with its hash'],
    [`ostler.lock 1\n<<<<<<< HEAD`, 'line 2 is not one more part of a server with its hash'],
    [
      `ostler.lock 1\nagent "a" entry ${hash}\nagent "a" entry ${'b'.repeat(32)}`,
      'line 3 is not one more part of a server with its hash',
    ],
  ])('%j', (text, message) => {
    expect(() => parseServerLock(text)).toThrow(expect.objectContaining({ code: 'lock.invalid', message }))
  })
})

it('a long line is read in time that grows no faster than it', () => {
  const text = `ostler.lock 1\nagent "${'\\"'.repeat(200_000)} tool:${' '.repeat(200_000)}`
  expect(() => parseServerLock(text)).toThrow('line 2')
})

describe('what is not in the lock as it is now', () => {
  test.each<[string, LockedServer, readonly string[]]>([
    ['nothing of the same server', files, []],
    ['a changed tool', changed, ['tool:write']],
    ['an added tool', { ...files, definitions: { ...files.definitions, 'tool:new': {} } }, ['tool:new']],
    ['a tool that is gone is no difference for an agent', { ...files, definitions: {} }, []],
    ['everything of a server that is started differently', { ...files, entry: 'f'.repeat(64) }, ['entry']],
    ['everything of a server that the lock lacks', { ...files, name: 'other' }, ['entry']],
    ['nothing of an editor’s server that the lock lacks', { ...files, owner: 'editor' }, []],
    ['everything of an editor’s server with another entry', { ...notes, entry: 'f'.repeat(64) }, ['entry']],
    ['an added prompt of an editor’s server', { ...notes, definitions: { 'prompt:x': {} } }, ['prompt:x']],
  ])('%s', (_, server, parts) => {
    expect(partsNotLocked(lock, server)).toEqual(parts)
  })
})
