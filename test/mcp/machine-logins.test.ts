import { describe, expect, test } from 'vitest'
import type { ClientSecretGrant } from '../../packages/agent-api/src/mcp/oauth/oauth-settings.ts'
import { startLoginServer, type LoginServer } from '../support/login-lab.ts'
import { call, callText, httpServer, openTestClient, type TestClient } from '../support/mcp-clients.ts'

const clientSecret = 'machine-secret-51f0c8aa'

async function openLab(differences: object = {}, settings: Partial<ClientSecretGrant> = {}) {
  const server = await startLoginServer({
    client: { id: 'robot', secret: clientSecret },
    registration: false,
    ...differences,
  })
  const oauth: ClientSecretGrant = {
    type: 'client-credentials',
    issuer: server.url,
    clientId: 'robot',
    clientSecret,
    ...settings,
  }
  const client = openTestClient(httpServer(server.mcp, { oauth }))
  await client.settled
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const tokensOf = (server: LoginServer) => server.requests('/token')
const reasonOf = ({ status }: TestClient) => (status.state === 'error' ? status.reason : status.state)

describe('a server with the credentials of a program', () => {
  test('is connected without a person, and its token is for this server only', async () => {
    await using lab = await openLab()
    expect(await callText(lab.client, 'echo', { message: 'hi' })).toBe('Echo: hi')
    expect(tokensOf(lab.server)).toHaveLength(1)
    const asked = Object.fromEntries(new URLSearchParams(tokensOf(lab.server)[0]?.body))
    expect(asked).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'read write',
      resource: lab.server.mcp,
    })
    expect(lab.server.requests('/authorize')).toEqual([])
  })

  test('gets a new token when the old one has ended, once for all calls', async () => {
    await using lab = await openLab({ tokenDelayMs: 100 })
    await lab.server.control('expire')
    await Promise.all([1, 2, 3].map(() => call(lab.client, 'echo')))
    expect(tokensOf(lab.server)).toHaveLength(2)
  })

  test('requests the scopes of its entry, and says which one is missing', async () => {
    await using lab = await openLab({ toolScope: 'admin' }, { scope: 'read' })
    await expect(call(lab.client, 'echo')).rejects.toMatchObject({
      message: 'the server refuses the token that Ostler obtained; set the scope in its entry to: read admin',
    })
    expect(tokensOf(lab.server)).toHaveLength(1)
  })

  test('sends nothing to another authorization server', async () => {
    await using lab = await openLab({}, { issuer: 'https://login.example.com' })
    expect(reasonOf(lab.client)).toContain(
      'than the issuer https://login.example.com. Nothing was sent to it',
    )
    expect(tokensOf(lab.server)).toEqual([])
  })

  test('is not retried with a wrong secret, which no message reveals', async () => {
    const wrong = 'wrong-secret-9d1b7c22'
    await using lab = await openLab({}, { clientSecret: wrong })
    expect(lab.client.status).toMatchObject({ state: 'error', willRetry: false })
    expect(reasonOf(lab.client)).toContain(
      'no token could be obtained: The authorization server rejected the request: invalid_client',
    )
    expect(tokensOf(lab.server).length).toBeLessThanOrEqual(2)
    expect(JSON.stringify([lab.client.status, lab.client.log])).not.toContain(wrong)
  })

  test('is retried if the authorization server fails temporarily', async () => {
    await using lab = await openLab()
    await lab.server.control('break')
    await expect(call(lab.client, 'echo')).rejects.toMatchObject({ code: 'mcp.unreachable' })
    await lab.server.control('mend')
    await lab.client.reconnect()
    expect(await callText(lab.client, 'echo', { message: 'hi' })).toBe('Echo: hi')
  })
})
