import type { McpServerConfig } from '../mcp/server-config.ts'

/** Words that say of a variable, header, flag or parameter that its value is nobody else's business. */
const secretName =
  /(?:^|[_-])(?:key|auth|dsn)(?:$|[_-])|[_-]pwd$|key$|token|secret|passw|credential|authorization|cookie|private|signature|bearer/i
/** What a generated credential looks like, whatever it is called: long, letters and digits, nothing that a path or a sentence has. */
const secretLooking = /^(?=.*[A-Za-z])(?=.*\d)[\w+=.~-]{20,}$/

export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** The values of a server's configuration that must not show up anywhere. */
export function secretsOf(config: McpServerConfig): string[] {
  switch (config.type) {
    case 'stdio':
      return [...Object.entries(config.env).flatMap(secretsOfPair), ...config.args.flatMap(secretsOfArgument)]
    case 'http':
    case 'sse':
      return [...Object.entries(config.headers).flatMap(secretsOfPair), ...secretsOfUrl(config.url)]
  }
}

function secretsOfPair([name, value]: readonly [string, string]): string[] {
  if (!isSecretName(name) && !secretLooking.test(value)) return []
  const credentials = /^\S+\s+(\S+)$/.exec(value)?.[1]
  return credentials === undefined ? [value] : [value, credentials]
}

/** `--token=value`, `--token value`, or a value that looks like one by itself. */
function secretsOfArgument(argument: string, index: number, all: readonly string[]): string[] {
  const [, name, value] = /^--?([\w-]+)=([^]*)$/.exec(argument) ?? []
  if (name !== undefined && value !== undefined) return secretsOfPair([name, value])
  const flag = all[index - 1] ?? ''
  return argument.startsWith('-') ? [] : secretsOfPair([flag.startsWith('-') ? flag : '', argument])
}

function secretsOfUrl(address: string): string[] {
  if (!URL.canParse(address)) return []
  const url = new URL(address)
  const credentials = [url.username, url.password].filter((part) => part !== '')
  return [...credentials, ...credentials.map(decoded), ...[...url.searchParams].flatMap(secretsOfPair)]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
