import { describe, expect, it } from 'vitest'
import { schemaView } from '../../../packages/agent-api/src/config/schema-view.ts'
import {
  emptyDraft,
  keptHint,
  otherFields,
  toCopy,
  toDraft,
  toNewServer,
  toUpdates,
} from '../../../packages/console/src/page/pages/servers/draft.ts'

const stored = {
  name: 'browser',
  transport: 'stdio' as const,
  entry: {
    type: 'stdio',
    command: 'uvx',
    args: ['browser-mcp', '--token=${secret:args.1}'],
    env: { API_KEY: '${secret:env.API_KEY}', LEVEL: 'debug' },
    mode: 'dynamic',
    defaultToolConfig: { timeout: '60s', maxInstances: 2 },
    timeout: 5_000,
    rateLimit: { calls: 10, per: '1m' },
    prompts: [],
    enabled: false,
  },
}

describe('a server in the form', () => {
  it('starts with what the schema requires and nothing else', () => {
    const draft = { ...emptyDraft, name: ' files ', command: 'npx', args: '-y\nfs' }
    expect(toNewServer(draft)).toEqual({
      name: 'files',
      entry: { type: 'stdio', command: 'npx', args: ['-y', 'fs'] },
      secret: { env: [], headers: [] },
    })
  })

  it('changes nothing if nothing is edited', () => {
    const opened = toDraft(stored)
    expect(toUpdates({ ...opened }, opened)).toEqual({ entry: {}, secret: { env: ['API_KEY'], headers: [] } })
  })

  it('changes only what is edited: replaces a secret, removes fields, and keeps the others by their placeholders', () => {
    const opened = toDraft(stored)
    const [key, level] = opened.env
    const changed = {
      ...opened,
      name: 'reader',
      others:
        '{ "mode": "dynamic", "defaultToolConfig": { "maxInstances": 3, "timeout": "60s" }, "prompts": [] }',
      env: [{ ...key!, value: 'new-secret' }, level!],
    }
    expect(toUpdates(changed, opened)).toEqual({
      name: 'reader',
      entry: {
        timeout: null,
        rateLimit: null,
        defaultToolConfig: { maxInstances: 3, timeout: '60s' },
        env: { API_KEY: 'new-secret', LEVEL: 'debug' },
      },
      secret: { env: ['API_KEY'], headers: [] },
    })
    expect(toUpdates({ ...opened, env: [key!, { ...level!, value: 'info' }] }, opened).entry).toEqual({
      env: { API_KEY: '${secret:env.API_KEY}', LEVEL: 'info' },
    })
  })

  it('replaces the fields of a transport by those of another', () => {
    const opened = toDraft(stored)
    const { entry } = toUpdates({ ...opened, type: 'http', url: 'https://x' }, opened)
    expect(entry).toEqual({
      type: 'http',
      url: 'https://x',
      allowInsecureHttp: undefined,
      command: null,
      args: null,
      env: null,
    })
  })

  it.each([
    ['bearer', { secret: 't' }, { type: 'bearer', token: 't' }],
    ['api-key', { secret: 'k' }, { type: 'api-key', key: 'k' }],
    ['api-key', { secret: 'k', header: ' x-key ' }, { type: 'api-key', key: 'k', header: 'x-key' }],
    ['basic', { secret: 'p', username: 'ada' }, { type: 'basic', password: 'p', username: 'ada' }],
  ] as const)('submits the authentication of kind %s', (type, fields, auth) => {
    const draft = {
      ...emptyDraft,
      name: 'x',
      type: 'http' as const,
      url: 'https://x',
      auth: { ...emptyDraft.auth, type, ...fields },
    }
    expect(toNewServer(draft).entry['auth']).toEqual(auth)
  })

  it('never contains a secret', () => {
    const draft = toDraft({
      name: 'x',
      transport: 'http',
      entry: {
        type: 'http',
        url: 'https://x',
        auth: { type: 'basic', username: 'ada', password: '${secret:auth.password}' },
      },
    })
    expect(draft.auth).toEqual({
      type: 'basic',
      header: '',
      username: 'ada',
      secret: '',
      kept: '${secret:auth.password}',
    })
    expect(toNewServer(draft).entry['auth']).toEqual({
      type: 'basic',
      username: 'ada',
      password: '${secret:auth.password}',
    })
    expect(keptHint(draft.auth.kept, [{ name: 'auth.password', set: true, lastFour: 'wxyz' }])).toBe(
      'Set, ending in wxyz. Leave empty to keep it.',
    )
  })

  it('is copied under a free name, without its secrets', () => {
    const copy = toCopy(stored, ['browser', 'browser-copy'])
    expect(copy.name).toBe('browser-copy-2')
    expect(JSON.stringify(toNewServer(copy))).not.toContain('${secret:')
    // A copy must not offer more than the original.
    const lists = { toolAllowlist: ['get_*'], toolDenylist: ['drop'] }
    expect(toNewServer(toCopy({ ...stored, entry: { ...stored.entry, ...lists } }, [])).entry).toMatchObject(
      lists,
    )
    expect(copy.env[0]).toEqual({ name: 'API_KEY', value: '', isSecret: true })
  })

  it('leaves the validation of other settings to the schema, also of a text that is not an object', () => {
    const othersOf = (others: string) => toNewServer({ ...emptyDraft, others }).entry
    expect(othersOf('{ "timeout": "soon", "retryAttempts": 9 }')).toMatchObject({
      timeout: 'soon',
      retryAttempts: 9,
    })
    // A field of the form would be set twice, and its error would stand where the person has not written.
    for (const text of [
      '[1]',
      'timeout: 5',
      '{ "timeout": 5',
      '{ "url": "https://a.example" }',
      '{ "type": "http" }',
    ])
      expect(othersOf(text)).toMatchObject({ 'other settings': text })
    expect(Object.keys(othersOf(' \n'))).not.toContain('other settings')
  })

  it('names all fields of a server that the form has no field for', () => {
    const fields = schemaView().fieldsAt(['mcpServers', 'a']) ?? []
    const shown = toDraft({ ...stored, entry: Object.fromEntries(fields.map((field) => [field, 1])) })
    expect(otherFields.toSorted()).toEqual(Object.keys(JSON.parse(shown.others) as object).toSorted())
  })
})
