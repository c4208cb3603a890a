import { z } from 'zod'
import { headerName } from '../base/header.ts'

export const text = z.string().min(1)
const httpsUrl = (what: string) =>
  z.url({ protocol: /^https$/, error: 'must be an https URL' }).describe(what)
const httpOrHttps = (what: string) =>
  z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).describe(what)
const clientId = text.describe('The ID of the client at the authorization server')
const grantFields = {
  issuer: httpOrHttps(
    'The authorization server (its issuer). The credentials are sent to no other, whatever the server says',
  ),
  clientId,
  scope: text.optional().describe('The scopes to request, separated by spaces (those the server asks for)'),
  resource: httpOrHttps(
    'A wider resource than the server, for which the tokens may be valid. Every server there could use them',
  ).optional(),
}
const clientSecret = text.describe('The secret of the client')

export const authSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({
      type: z.literal('bearer'),
      token: text.describe('Sent as Authorization: Bearer'),
    }),
    z.strictObject({
      type: z.literal('api-key'),
      key: text.describe('The key'),
      header: z
        .string()
        .regex(headerName, 'must be a valid header name')
        .default('x-api-key')
        .describe('The header that carries the key'),
    }),
    z.strictObject({
      type: z.literal('basic'),
      username: text.describe('The user name'),
      password: z.string().describe('The password'),
    }),
    z
      .strictObject({
        type: z.literal('oauth'),
        clientId: clientId.optional(),
        clientSecret: clientSecret.optional(),
        issuer: grantFields.issuer.optional(),
        clientMetadataUrl: httpsUrl(
          'A document that describes the client. Its address is the ID of the client where that is supported',
        ).optional(),
        scope: grantFields.scope,
        resource: grantFields.resource,
      })
      .describe('You log in with your browser: ostler mcp login'),
    z
      .strictObject({ type: z.literal('client-credentials'), ...grantFields, clientSecret })
      .describe('For programs: Ostler obtains tokens itself, with the secret of a client'),
    z
      .strictObject({
        type: z.literal('client-credentials-jwt'),
        ...grantFields,
        privateKey: text.describe('The private key of the client, in PEM format, as PKCS #8'),
        algorithm: z
          .enum(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'])
          .default('RS256')
          .describe('The algorithm of the key'),
      })
      .describe('Like client-credentials, with a signed token instead of a secret (private_key_jwt)'),
    z
      .strictObject({
        type: z.literal('enterprise'),
        ...grantFields,
        clientSecret,
        idpTokenEndpoint: httpOrHttps('The token endpoint of the identity provider of your company'),
        idpClientId: text.describe('The ID of the client at the identity provider'),
        idpClientSecret: text.optional().describe('Its secret there'),
        idToken: text.describe('Your ID token from the identity provider. Prefer a variable, such as ${VAR}'),
      })
      .describe('Enterprise-managed authorization: your company decides which servers you may use (ID-JAG)'),
    z
      .strictObject({
        type: z.literal('workload'),
        ...grantFields,
        assertion: text.describe('The signed token of this machine (JWT). Prefer a variable, such as ${VAR}'),
      })
      .describe('Workload identity: a token that the platform gives to this machine is exchanged'),
  ])
  .describe('How Ostler authenticates to the server')
