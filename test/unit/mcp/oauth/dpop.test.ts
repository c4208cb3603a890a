import { generateDpopKeyPair } from '@modelcontextprotocol/client'
import { webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDpopSession } from '../../../../packages/agent-api/src/mcp/oauth/dpop.ts'

test('a stored key has the thumbprint that it had when it was new', async () => {
  const { privateKey, publicJwk, thumbprint } = await generateDpopKeyPair({ extractable: true })
  const session = await openDpopSession(await webcrypto.subtle.exportKey('jwk', privateKey))
  expect(session).toMatchObject({ thumbprint, publicJwk, alg: 'ES256' })
})
