import type { McpServerConfig } from '../mcp/server-config.ts'

/** Words that say of a variable, header, flag or parameter that its value is nobody else's business. */
const secretName =
  /(?:^|[_-])(?:key|auth|dsn|pin|pass)(?:$|[_-])|[_-]pwd$|key$|pass$|token|secret|passw|passphrase|credential|authorization|cookie|private|signature|bearer/i
/** What a generated credential looks like, whatever it is called: long, letters and digits, nothing that a path or a sentence has. */
const secretLooking = /^(?=.*[A-Za-z])(?=.*\d)[\w+=.~-]{12,}$/

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
  if (!isSecretName(name) && !secretLooking.test(value)) return passwordsIn(value)
  const credentials = /^\S+\s+(\S+)$/.exec(value)?.[1]
  return credentials === undefined ? [value] : [value, credentials]
}

/** `--token=value`, `--token value`, `NAME=value`, `Header: Bearer value`, `scheme://user:value@host`, or a value that looks like one by itself. */
function secretsOfArgument(argument: string, index: number, all: readonly string[]): string[] {
  const [, name, value] = /^(?:--?)?([\w.-]+)(?:=|:\s*)([^]*)$/.exec(argument) ?? []
  if (name !== undefined && value !== undefined && !value.startsWith('//')) return secretsOfPair([name, value])
  const flag = all[index - 1] ?? ''
  return argument.startsWith('-') ? [] : secretsOfPair([flag.startsWith('-') ? flag : '', argument])
}

/** The password of an address somewhere in a text. */
function passwordsIn(text: string): string[] {
  return [...text.matchAll(/\b[a-z][\w+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/gi)].flatMap(([, password = '']) => [password, decoded(password)])
}

function secretsOfUrl(address: string): string[] {
  if (!URL.canParse(address)) return passwordsIn(address)
  const url = new URL(address)
  const credentials = [url.username, url.password].filter((part) => part !== '')
  const segments = url.pathname.split('/').filter((segment) => secretLooking.test(segment))
  return [...credentials, ...credentials.map(decoded), ...segments, ...[...url.searchParams].flatMap(secretsOfPair)]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
