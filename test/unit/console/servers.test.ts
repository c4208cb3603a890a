import { describe, expect, it } from 'vitest'
import type { LiveServer, ServerView } from '../../../packages/console/src/api.ts'
import { createFindOwnServer } from '../../../packages/console/src/server/find-own-server.ts'
import {
  toAgentWords,
  toProblems,
  toTrouble,
} from '../../../packages/console/src/page/pages/servers/connection-words.ts'
import { lackIn, lackOf } from '../../../packages/console/src/page/pages/servers/lack.ts'
import { toSettingRows } from '../../../packages/console/src/page/pages/server/setting-rows.ts'
import { toSentence } from '../../../packages/console/src/page/text/to-sentence.ts'

const running = (status: LiveServer['status'], more: Partial<LiveServer> = {}): LiveServer => ({
  agent: 'default',
  sessionId: null,
  sessionTitle: null,
  owner: 'agent',
  name: 'web',
  transport: 'http',
  origin: 'https://example.com/mcp',
  status,
  tools: 0,
  prompts: 0,
  ...more,
})

describe('the state of a server in the agents', () => {
  const login = running('error', { needsLogin: true, reason: 'It needs a login. Run: ostler mcp login web' })
  it.each([
    [[], 'off', 'No running agent uses it'],
    [[running('connected')], 'good', 'In use by 1 agent'],
    [[running('connected'), running('connected')], 'good', 'In use by 2 agents'],
    [[running('idle'), running('idle')], 'off', 'Asleep until called in 2 agents'],
    [[running('error')], 'bad', 'Error in 1 agent'],
    [[running('connected'), running('error')], 'bad', 'Connected in 1 agent, error in 1'],
    [[running('error'), running('connecting'), running('error')], 'bad', 'Connecting in 1 agent, error in 2'],
    [[login, running('connected')], 'warn', 'Connected in 1 agent, needs login in 1'],
  ] as const)('%#: %s', (used, tone, text) => expect(toAgentWords(used)).toEqual({ tone, text }))

  it('says each problem once, and first those of the agents', () => {
    const [one, other] = ['at 10:01', 'at 10:02'].map((output) =>
      running('error', { reason: `it exited\n${output}` }),
    ) as [LiveServer, LiveServer]
    const found = (reason: string, used: readonly LiveServer[]) =>
      toProblems({ state: 'error', reason }, used).map((problem) => [
        problem.of,
        problem.reason,
        problem.more,
      ])
    expect(found('it exited\nat 10:03', [one, other])).toEqual([[undefined, 'it exited', 'at 10:02']])
    expect(found('not found', [one])).toEqual([
      [undefined, 'it exited', 'at 10:01'],
      ['This console', 'not found', undefined],
    ])
  })

  it('orders servers by what a person can do', () => {
    const rank = (...states: LiveServer['status'][]) =>
      toTrouble(
        { state: 'connected' },
        states.map((state) => running(state)),
      )
    expect(rank('error', 'connected')).toBeGreaterThan(toTrouble({ state: 'connected' }, [login]))
    expect(toTrouble({ state: 'error', needsLogin: true }, [])).toBeGreaterThan(rank('connected'))
    expect(toTrouble({ state: 'error' }, [])).toBe(rank('error'))
    expect(rank('connecting')).toBe(rank())
  })
})

describe('a running server is', () => {
  const pinOf = (identity: string) => ({ identity, parts: {} })
  const stored = { id: 'stored', name: 'web', transport: 'http', origin: 'stored' } as const
  const file = { ...stored, id: 'file', origin: 'file' } as const
  const find = createFindOwnServer('default', [
    { name: 'web', origin: 'file', pin: pinOf('new') },
    { name: 'web', origin: 'stored', pin: pinOf('old') },
  ])
  it.each([
    ['an agent’s own', {}, [stored], 'stored'],
    ['an editor’s', { owner: 'session' }, [stored], undefined],
    ['of another name', { name: 'files' }, [stored], undefined],
    ['of another transport', { transport: 'sse' }, [stored], undefined],
    ['a stored one in another agent', { agent: 'other' }, [stored], 'stored'],
    ['one of the file', {}, [file], 'file'],
    ['one of the file of another agent', { agent: 'other' }, [file], undefined],
    ['one of the file that overrides a stored one', { identity: 'new' }, [stored, file], 'file'],
    ['the stored one, in an agent that was started before', { identity: 'old' }, [stored, file], 'stored'],
    ['the one of the file, if it is neither', { identity: 'found by another PATH' }, [stored, file], 'file'],
    ['the same in another agent', { agent: 'other' }, [stored, file], 'stored'],
  ] as const)('%s', (_, over, servers, id) => expect(find(running('connected', over), servers)?.id).toBe(id))
})

describe('what a server lacks', () => {
  const stdio = { origin: 'stored', transport: 'stdio', entry: {} } as const
  const http = { origin: 'stored', transport: 'http', entry: {} } as const
  const keyed = { ...http, entry: { auth: { type: 'bearer', token: '${secret:auth.token}' } } }
  const refused = 'needs authorization (HTTP 401)'

  it.each([
    [
      'a variable in its output',
      stdio,
      { text: 'exited\nError: set NOTES_TOKEN or MY_API_KEY. NOTES_TOKEN!' },
      ['NOTES_TOKEN', 'MY_API_KEY'],
    ],
    ['no variable', stdio, { text: 'the server exited with code 3' }, undefined],
    ['a variable of the file', { ...stdio, origin: 'file' }, { text: 'set NOTES_TOKEN' }, undefined],
    ['a login', http, { text: 'It needs a login.', needsLogin: true }, 'login'],
    ['a login of the file', { ...http, origin: 'file' }, { text: '', needsLogin: true }, 'login'],
    ['a refusal', http, { text: refused }, 'login'],
    ['a refused key', keyed, { text: refused }, 'key'],
    ['a refused key of the file', { ...keyed, origin: 'file' }, { text: refused }, undefined],
    ['nothing', http, { text: 'connection refused' }, undefined],
  ] as const)('%s', (_, server, failed, lack) => {
    const found = lackIn(server, failed)
    expect(found?.is === 'variables' ? found.names : found?.is).toEqual(lack)
  })

  it('is known from the connection of this console, or of any agent', () => {
    const status = { state: 'disconnected' } as ServerView['status']
    const lost = running('error', { needsLogin: true })
    expect(lackOf({ ...http, status }, [running('connected')])).toBeUndefined()
    expect(lackOf({ ...http, status }, [running('connected'), lost])).toEqual({ is: 'login' })
    expect(lackOf({ ...http, status: { state: 'error', needsLogin: true } }, [])).toEqual({ is: 'login' })
    // A reason that is out of date does not count.
    expect(lackOf({ ...http, status: { state: 'connected', reason: refused } }, [])).toBeUndefined()
  })
})

it.each([
  ['its author suggests npx', 'Its author suggests npx.'],
  ['Use the other one!', 'Use the other one!'],
  ['${file} stays as it is', '${file} stays as it is.'],
  [' ', ''],
])('the note %j is the sentence %j', (note, sentence) => expect(toSentence(note)).toBe(sentence))

describe('the settings of a server', () => {
  const rowsOf = (entry: Readonly<Record<string, unknown>>) =>
    toSettingRows({ entry, secrets: [{ name: 'env.KEY', set: true, lastFour: 'abcd' }] }).map(
      ({ label, value }) => [label, value],
    )

  it('are in words, without secrets', () => {
    const entry = {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'notes server'],
      env: { KEY: '${secret:env.KEY}' },
      mode: 'dynamic',
      include: 'agent',
      trusted: true,
      timeout: 30_000,
      rateLimit: { calls: 5, per: '1m' },
      defaultToolConfig: { maxInstances: 2, include: 'manual', approval: 'ask', timeout: '5s' },
      description: undefined,
      oauth: { scope: 'read' },
    }
    expect(rowsOf(entry)).toEqual([
      ['Transport', 'Command (stdio)'],
      ['Command', 'npx'],
      ['Arguments', '-y\nnotes server'],
      ['Variables', 'KEY=••••abcd'],
      ['Mode', 'Dynamic: all its tools'],
      ['Offered to the model', 'When the tool search finds them'],
      ['Trust its read-only hints', 'Yes'],
      ['Timeout', '30 s'],
      ['Rate limit', '5 calls per 1m'],
      [
        'Defaults for its tools',
        'Parallel calls per tool: 2\nOffered to the model: When you add them with /tools add\nApproval: Ask\nCall timeout: 5s',
      ],
      ['oauth', '{\n  "scope": "read"\n}'],
    ])
  })

  it('of a remote server name its key, but do not show it', () => {
    const auth = { type: 'api-key', header: 'x-key', key: '${secret:auth.key}' }
    expect(
      rowsOf({ type: 'http', url: 'https://a.example', headers: { A: 'b' }, auth, defaultToolConfig: {} }),
    ).toEqual([
      ['Transport', 'HTTP'],
      ['URL', 'https://a.example'],
      ['Headers', 'A: b'],
      ['Authentication', 'API key in a header\nheader: x-key\nkey: ••••'],
    ])
  })
})
