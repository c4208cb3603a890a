import { describe, expect, it } from 'vitest'
import { emptyDraft, keptHint, toCopy, toDraft, toNewServer, toUpdates } from '../../../packages/console/src/page/pages/servers/draft.ts'

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
  it('is new with what the schema needs and nothing that nobody said', () => {
    const draft = { ...emptyDraft, name: ' files ', command: 'npx', args: '-y\nfs' }
    expect(toNewServer(draft)).toEqual({
      name: 'files',
      entry: { type: 'stdio', command: 'npx', args: ['-y', 'fs'], mode: 'dynamic', defaultToolConfig: {} },
      secret: { env: [], headers: [] },
    })
  })

  it('comes back as it was when nothing is changed, its secrets kept by their placeholders', () => {
    const { enabled: _, ...entry } = stored.entry
    expect(toUpdates(toDraft(stored), stored)).toEqual({ name: 'browser', entry, secret: { env: ['API_KEY'], headers: [] } })
  })

  it('takes a new secret in the place of the old one, and takes fields away', () => {
    const draft = toDraft(stored)
    const changed = { ...draft, timeout: '', rateCalls: '', ratePer: '', env: [{ ...draft.env[0]!, value: 'new-secret' }] }
    const { entry } = toUpdates(changed, stored)
    expect(entry).toMatchObject({ timeout: null, rateLimit: null, env: { API_KEY: 'new-secret' } })
  })

  it('is never shown a secret', () => {
    const draft = toDraft({
      name: 'x',
      transport: 'http',
      entry: { type: 'http', url: 'https://x', auth: { type: 'basic', username: 'ada', password: '${secret:auth.password}' } },
    })
    expect(draft.auth).toEqual({ type: 'basic', header: '', username: 'ada', secret: '', kept: '${secret:auth.password}' })
    expect(toNewServer(draft).entry['auth']).toEqual({ type: 'basic', username: 'ada', password: '${secret:auth.password}' })
    expect(keptHint(draft.auth.kept, [{ name: 'auth.password', set: true, lastFour: 'wxyz' }])).toBe(
      'Set, ending in wxyz. Leave empty to keep it.',
    )
  })

  it('is copied under a free name, without its secrets', () => {
    const copy = toCopy(stored, ['browser', 'browser-copy'])
    expect(copy.name).toBe('browser-copy-2')
    expect(JSON.stringify(toNewServer(copy))).not.toContain('${secret:')
    expect(copy.env[0]).toEqual({ name: 'API_KEY', value: '', isSecret: true })
  })

  it('leaves it to the schema to say what is wrong with a number', () => {
    expect(toNewServer({ ...emptyDraft, timeout: 'soon', retryAttempts: '9', rateCalls: '5' }).entry).toMatchObject({
      timeout: 'soon',
      retryAttempts: 9,
      rateLimit: { calls: 5, per: undefined },
    })
  })
})
