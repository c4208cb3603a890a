import { mapTexts } from '../base/map-texts.ts'
import { secretsOf } from '../mcp/secrets-of.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { hashCanonical, identityOf } from './always-allow/definition-pin.ts'

/**
 * The hash of a server's entry as it was written, so that it is the same on other machines: variables are not expanded, secrets are left
 * out, and the program is not looked up.
 */
export function hashEntry(written: object): string {
  const { serverUrl, httpUrl, url = serverUrl ?? httpUrl, ...entry } = written as Record<string, unknown>
  const type = entry['command'] !== undefined ? 'stdio' : url !== undefined ? 'http' : 'acp'
  // The id of an editor's own server may be another one in each session.
  if (type === 'acp') return hashCanonical({ type })
  const config = { args: [], env: {}, headers: {}, ...entry, url, type } as unknown as McpServerConfig
  const secrets = secretsOf(config)
  const withoutSecrets = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, ''), text)
  return hashCanonical(mapTexts(identityOf(config, undefined, ''), withoutSecrets))
}
