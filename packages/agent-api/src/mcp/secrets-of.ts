import type { McpServerConfig } from './server-config.ts'
import { isProxyVariable, secretsOfProxy } from '../redaction/proxy-address.ts'
import { isSecretByName, isSecretName } from '../redaction/secret-name.ts'
import { spansOfKeys, spansOfTokens, type Span } from '../redaction/secret-shapes.ts'
import { decoded, isSecretPair, spansOfArgument, spansOfCommand, spansOfPair, spansOfUrl } from '../redaction/secret-spans.ts'

export { isSecretName }

/** The values of a server's configuration that must not show up anywhere, in the forms that a program may come to show. */
export function secretsOf(config: McpServerConfig): string[] {
  switch (config.type) {
    case 'stdio':
      return unique([
        ...valuesAt(config.command, spansOfCommand(config.command)),
        ...Object.entries(config.env).flatMap(secretsOfPair),
        ...config.args.flatMap((argument, index, all) => valuesAt(argument, spansOfArgument(argument, all[index - 1]))),
      ])
    case 'http':
    case 'sse':
      return unique([...Object.entries(config.headers).flatMap(secretsOfPair), ...valuesAt(config.url, spansOfUrl(config.url))])
  }
}

/** What is secret in a variable that nobody set for a server: many of these look generated, and are known to all. */
export function secretsOfVariable(name: string, value: string): string[] {
  const named = isSecretByName(name, value) ? [value] : []
  const ofProxy = isProxyVariable(name) ? secretsOfProxy(value) : []
  return [...named, ...ofProxy, ...valuesAt(value, [...spansOfTokens(value), ...spansOfKeys(value)])].filter((secret) => secret !== '')
}

/** The same of the headers of a request. */
export function secretsOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  return unique(Object.entries(headers).flatMap(secretsOfPair))
}

/** With its scheme a credential is long enough to be struck where it may be too short by itself. */
function secretsOfPair([name, value]: readonly [string, string]): string[] {
  return [...(isSecretPair(name, value) ? [value] : []), ...valuesAt(value, spansOfPair(name, value))]
}

function valuesAt(text: string, spans: readonly Span[]): string[] {
  return spans.flatMap(({ start, end }) => {
    const value = text.slice(start, end)
    // Of two words the first may be a scheme that we do not know.
    const lastOfTwo = /^\S+\s+(\S+)$/.exec(value)?.[1] ?? ''
    return [value, lastOfTwo, decoded(value), decoded(value.replaceAll('+', ' '))]
  })
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '')
}
