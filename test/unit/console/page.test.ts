import { describe, expect, it } from 'vitest'
import {
  isChosen,
  obstacleOf,
  setUsed,
  useOf,
} from '../../../packages/console/src/page/pages/agent/chosen-servers.ts'
import { toDiffLines } from '../../../packages/console/src/page/text/diff-lines.ts'
import { toConnectionWords } from '../../../packages/console/src/page/pages/servers/connection-words.ts'
import { findTools } from '../../../packages/console/src/page/parts/find-tools.ts'
import { parseRoute, toPath } from '../../../packages/console/src/page/route.ts'
import { parseJsonText, toSource } from '../../../packages/console/src/page/text/media.ts'
import type { AgentSettings } from '../../../packages/console/src/api.ts'

describe('addresses of the page', () => {
  it.each([
    ['/', 'servers', undefined],
    ['/calls/', 'calls', undefined],
    ['/sessions/a%2Fb', 'sessions', 'a/b'],
    ['/sessions/%', 'sessions', '%'],
    ['/tools/x', undefined, 'x'],
    ['/servers/a%2Fb/log', 'servers', 'a/b'],
    ['/servers/a/b/c', undefined, 'a'],
    ['/sessions/a/b', undefined, 'a'],
    ['/nope', undefined, undefined],
  ])('%s', (path, page, id) => expect(parseRoute(path, '')).toMatchObject({ page, id }))

  it('are written with the values that are set', () => {
    expect(toPath('/calls', { server: 'a b', turn: 0, text: '', tool: undefined })).toBe(
      '/calls?server=a+b&turn=0',
    )
  })
})

describe('media', () => {
  it('shows pixels, and nothing executable', () => {
    expect(toSource('image', 'image/PNG', 'iVBORw0=')).toBe('data:image/png;base64,iVBORw0=')
    expect(toSource('image', 'image/svg+xml', 'PHN2Zz4=')).toBeUndefined()
    expect(toSource('image', 'image/png', 'x" onerror="y')).toBeUndefined()
    expect(toSource('image', 'image/png,<script>', 'AAAA')).toBeUndefined()
    expect(toSource('audio', 'audio/wav', 'AAAA')).toBe('data:audio/wav;base64,AAAA')
    expect(toSource('audio', 'text/html', 'AAAA')).toBeUndefined()
  })

  it('finds JSON in a text', () => {
    expect(parseJsonText(' {"a":1}')).toEqual({ a: 1 })
    expect(parseJsonText('12')).toBeUndefined()
    expect(parseJsonText('[1, 2')).toBeUndefined()
  })
})

describe('the servers that the agent uses', () => {
  const server = (name: string, origin: 'file' | 'stored') => ({
    name,
    origin,
    used: true,
    enabled: true,
    shadowed: false,
    live: [],
    tools: 1,
    mode: 'dynamic' as const,
  })
  const servers = [server('f', 'file'), server('a', 'stored'), server('b', 'stored')]
  const settings = {
    storedServers: 'all',
    mcpServers: { f: { enabled: true, mode: 'strict' } },
  } as unknown as AgentSettings

  it.each([
    ['all', true],
    ['none', false],
    [['a'], true],
    [['b'], false],
  ] as const)('%j', (storedServers, used) =>
    expect(isChosen(server('a', 'stored'), { ...settings, storedServers })).toBe(used),
  )

  it('cannot be used if something else prevents it', () => {
    expect(obstacleOf(server('a', 'stored'))).toBeUndefined()
    expect(obstacleOf({ ...server('a', 'stored'), enabled: false })).toBe('Disabled')
    expect(obstacleOf({ ...server('a', 'stored'), shadowed: true })).toBe('Overridden by ostler.yaml')
    // For a server of the file, the settings themselves show it.
    expect(obstacleOf({ ...server('f', 'file'), enabled: false })).toBeUndefined()
  })

  it.each([
    ['a server of the file', server('f', 'file'), 'all', 'used'],
    ['one that the file disables', { ...server('f', 'file'), name: 'off' }, 'all', 'not-chosen'],
    ['a stored one', server('a', 'stored'), 'all', 'used'],
    ['one that is not selected', server('a', 'stored'), ['b'], 'not-chosen'],
    ['a disabled one', { ...server('a', 'stored'), enabled: false }, 'all', 'disabled'],
    ['an overridden one', { ...server('a', 'stored'), shadowed: true }, 'all', 'shadowed'],
  ] as const)('says how the agent uses %s', (_case, each, storedServers, use) => {
    const mcpServers = { ...settings.mcpServers, off: { enabled: false, mode: 'dynamic' as const } }
    expect(useOf(each, { mcpServers, storedServers })).toBe(use)
  })

  it('lists all but one, and none after the last', () => {
    const fewer = setUsed(server('a', 'stored'), false, settings, servers)
    expect(fewer.storedServers).toEqual(['b'])
    expect(setUsed(server('b', 'stored'), false, fewer, servers).storedServers).toBe('none')
    expect(setUsed(server('f', 'file'), false, settings, servers).mcpServers).toEqual({
      f: { enabled: false, mode: 'strict' },
    })
  })
})

describe('words', () => {
  it.each([
    [{ state: 'connected' }, 'Connected', undefined],
    [
      { state: 'error', reason: 'It needs a login. Run: ostler mcp login web', needsLogin: true },
      'Needs login',
      undefined,
    ],
    [
      {
        state: 'error',
        reason: 'It needs a login with more permissions. Run: ostler mcp login web',
        needsLogin: true,
      },
      'Needs login',
      'It needs a login with more permissions.',
    ],
    [{ state: 'error', reason: 'needs authorization (HTTP 401)' }, 'Error', 'needs authorization (HTTP 401)'],
    [{ state: 'error', reason: 'exit code 3\nTraceback', willRetry: true }, 'Error, retrying', 'exit code 3'],
  ] as const)('%j', (status, word, reason) => {
    const words = toConnectionWords(status)
    expect([words.word, words.reason]).toEqual([word, reason])
  })

  it('reads a diff', () => {
    expect(toDiffLines('--- a\n+++ b\n@@ -1 +1 @@\n same\n-old\n+new\n').map(({ kind }) => kind)).toEqual([
      'place',
      'same',
      'removed',
      'added',
    ])
  })

  it('finds tools by all of the words, matches in the name first', () => {
    const tools = [
      { name: 'list', description: 'Read a file' },
      { name: 'read_file', description: 'text of a file' },
    ]
    expect(findTools(tools, 'file READ').map(({ name }) => name)).toEqual(['read_file', 'list'])
    expect(findTools(tools, 'nothing')).toEqual([])
  })
})
