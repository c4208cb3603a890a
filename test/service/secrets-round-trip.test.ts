import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openStoredState } from '../../packages/agent-api/src/state/open-state.ts'
import { unsealSecrets } from '../../packages/agent-api/src/secret-store/seal-secrets.ts'
import { createServerSecrets } from '../../packages/agent-api/src/servers/stored/server-secrets.ts'
import { openServiceLab, type ServiceLab } from '../support/service-lab.ts'

/** Unique within the state, with characters that might get mangled. */
const secret = fc
  .tuple(fc.uuid(), fc.string({ unit: 'grapheme', maxLength: 12 }))
  .map(([id, rest]) => `S${id.replaceAll('-', '')}${rest}`)
const plain = fc.string({ unit: fc.constantFrom(...'abc /:=.'), maxLength: 20 })
const address = secret.map((password) => `postgres://me:${encodeURIComponent(password)}@db/x`)
const env = fc.record(
  {
    API_TOKEN: fc.oneof(secret, address),
    PASSWORD: fc.oneof(secret, plain),
    DB_URL: fc.oneof(address, plain),
    NOTE: secret,
    LANG: plain,
  },
  { requiredKeys: [] },
)
const headers = fc.record(
  { Authorization: secret.map((text) => `Bearer ${text}`), 'X-Api-Key': secret, Accept: plain },
  { requiredKeys: [] },
)

const entry = fc.oneof(
  fc.record({
    type: fc.constant('stdio'),
    command: fc.constant('run'),
    args: fc.array(
      fc.oneof(
        plain,
        secret.map((text) => `--token=${text}`),
      ),
      { maxLength: 3 },
    ),
    env,
  }),
  fc.record({
    type: fc.constant('http'),
    url: fc.uuid().map((id) => `https://example.com/mcp?api_key=${id}`),
    headers,
    auth: fc.oneof(
      fc.record({ type: fc.constant('bearer'), token: secret }),
      fc.record({ type: fc.constant('basic'), username: fc.constant('me'), password: secret }),
    ),
  }),
)

it('stored and updated entries are returned unchanged, and their secrets are nowhere in plain text', async () => {
  await fc.assert(
    fc.asyncProperty(entry, entry, async (first, second) => {
      // Excludes text with a special meaning in an entry: variables and placeholders.
      fc.pre(!JSON.stringify([first, second]).includes('$'))
      // A database keeps deleted data for a while, so each run has its own.
      await using lab = await openServiceLab()
      const service = await lab.open()
      const secret = { env: ['NOTE'] }
      const { id, entry: sealed } = await service.addServer({ name: 'server', entry: first, secret })
      expect(await storedEntry(lab, id)).toEqual(first)
      // A form sends back what it was shown.
      await service.updateServer(id, { entry: sealed })
      expect(await storedEntry(lab, id)).toEqual(first)
      const absent = Object.fromEntries(
        Object.keys(first).flatMap((key) => (key in second ? [] : [[key, null]])),
      )
      await service.updateServer(id, { entry: { ...absent, ...second }, secret })
      expect(await storedEntry(lab, id)).toEqual(second)

      const [bytes, shown] = [await lab.stateBytes(), JSON.stringify(await service.listServers())]
      const given = JSON.stringify([first, second]).match(/S[\da-f]{32}/g) ?? []
      expect(given.filter((text) => bytes.includes(text) || shown.includes(text))).toEqual([])
    }),
    { numRuns: 20 },
  )
})

/** The stored entry with its secrets restored, as a connection gets it. */
async function storedEntry({ stateDir }: ServiceLab, id: string): Promise<Record<string, unknown>> {
  using history = openStoredState({ stateDir })
  const row = history?.servers.find(id)
  if (row === undefined) throw new Error('the row is gone')
  const secrets = createServerSecrets({ stateDir, prefer: 'file' })
  const {
    mode: _,
    defaultToolConfig: __,
    ...config
  } = unsealSecrets(row.entry, await secrets.read(id, row.secretStore))
  return config
}
