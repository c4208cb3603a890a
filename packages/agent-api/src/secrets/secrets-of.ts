import type { McpServerConfig } from '../mcp/server-config.ts'
import {
  decoded,
  isSecretName,
  isSecretPair,
  spansOfArgument,
  spansOfPair,
  spansOfText,
  spansOfUrl,
  type SecretSpan,
} from './secret-spans.ts'

export { isSecretName }

/** The values of a server's configuration that must not show up anywhere, in the forms that a program may come to show. */
export function secretsOf(config: McpServerConfig): string[] {
  switch (config.type) {
    case 'stdio':
      return unique([
        ...valuesAt(config.command, spansOfText(config.command)),
        ...Object.entries(config.env).flatMap(secretsOfPair),
        ...config.args.flatMap((argument, index, all) => valuesAt(argument, spansOfArgument(argument, all[index - 1]))),
      ])
    case 'http':
    case 'sse':
      return unique([...Object.entries(config.headers).flatMap(secretsOfPair), ...valuesAt(config.url, spansOfUrl(config.url))])
  }
}

/** With its scheme a credential is long enough to be struck where it may be too short by itself. */
function secretsOfPair([name, value]: readonly [string, string]): string[] {
  return [...(isSecretPair(name, value) ? [value] : []), ...valuesAt(value, spansOfPair(name, value))]
}

function valuesAt(text: string, spans: readonly SecretSpan[]): string[] {
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
