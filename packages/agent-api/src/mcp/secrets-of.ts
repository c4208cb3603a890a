import { secretsOfOAuth } from './oauth/oauth-settings.ts'
import type { McpServerConfig } from './server-config.ts'
import { isProxyVariable, secretsOfProxy } from '../redaction/proxy-address.ts'
import { isSecretByName, isSecretName } from '../redaction/secret-name.ts'
import { spansOfKeys, spansOfTokens, type Span } from '../redaction/secret-shapes.ts'
import {
  decoded,
  isSecretPair,
  spansOfArgument,
  spansOfCommand,
  spansOfPair,
  spansOfUrl,
} from '../redaction/secrets-in-commands-and-text.ts'

export { isSecretName }

/** The secret values in a server's configuration, in the forms in which programs may print them. */
export function secretsOf(config: McpServerConfig): string[] {
  switch (config.type) {
    case 'stdio':
      return unique([
        ...valuesAt(config.command, spansOfCommand(config.command)),
        ...Object.entries(config.env).flatMap(secretsOfPair),
        ...config.args.flatMap((argument, index, all) =>
          valuesAt(argument, spansOfArgument(argument, all[index - 1])),
        ),
      ])
    case 'http':
    case 'sse':
      return unique([
        ...Object.entries(config.headers).flatMap(secretsOfPair),
        ...valuesAt(config.url, spansOfUrl(config.url)),
        ...(config.oauth === undefined ? [] : secretsOfOAuth(config.oauth)),
      ])
    case 'acp':
      return []
  }
}

/** Secrets in an inherited environment variable. Looking generated is not enough here, because many such values are public. */
export function secretsOfVariable(name: string, value: string): string[] {
  const named = isSecretByName(name, value) ? [value] : []
  const ofProxy = isProxyVariable(name) ? secretsOfProxy(value) : []
  return [...named, ...ofProxy, ...valuesAt(value, [...spansOfTokens(value), ...spansOfKeys(value)])].filter(
    (secret) => secret !== '',
  )
}

export function secretsOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  return unique(Object.entries(headers).flatMap(secretsOfPair))
}

export function withoutSecrets(name: string, value: string): string {
  return spansOfPair(name, value).reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    value,
  )
}

/** Includes the value with its scheme, because the credential alone may be too short to be redacted. */
function secretsOfPair([name, value]: readonly [string, string]): string[] {
  return [...(isSecretPair(name, value) ? [value] : []), ...valuesAt(value, spansOfPair(name, value))]
}

function valuesAt(text: string, spans: readonly Span[]): string[] {
  return spans.flatMap(({ start, end }) => {
    const value = text.slice(start, end)
    // The first of two words may be an unknown scheme.
    const lastOfTwo = /^\S+\s+(\S+)$/.exec(value)?.[1] ?? ''
    return [value, lastOfTwo, decoded(value), decoded(value.replaceAll('+', ' '))]
  })
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '')
}
