import type { McpServerConfig } from './server-config.ts'
import { quoteWord } from '../base/quote-word.ts'
import { redactedMark } from '../base/clean-text.ts'
import type { Redactor } from '../redaction/redact.ts'
import {
  spansOfArgument,
  spansOfCommand,
  type SecretSpan,
} from '../redaction/secrets-in-commands-and-text.ts'

/** The command line or address of a server, for the person who is asked: in full, except for secret values. */
export function toServerOrigin(config: McpServerConfig, redactor: Redactor): string {
  switch (config.type) {
    case 'stdio': {
      const { command, args } = config
      const shown = (text: string, spans: readonly SecretSpan[]) =>
        strike(text, spans, (rest) => redactor.redactCommand(rest))
      return toCommandLine([
        shown(command, spansOfCommand(command)),
        ...args.map((text, index) => shown(text, spansOfArgument(text, args[index - 1]))),
      ])
    }
    case 'http':
    case 'sse':
      return redactor.redact(withoutCredentials(config.url))
    case 'acp':
      return redactor.redact(`acp:${config.serverId}`)
  }
}

export function toCommandLine(words: readonly string[]): string {
  return words.map((word) => quoteWord(word)).join(' ')
}

function strike(text: string, spans: readonly SecretSpan[], redactRest: (rest: string) => string): string {
  let struck = ''
  let kept = 0
  for (const { start, end } of spans) {
    struck += redactRest(text.slice(kept, start)) + redactedMark
    kept = end
  }
  return struck + redactRest(text.slice(kept))
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return '(not a valid address)'
  const url = new URL(address)
  return `${url.origin}${url.pathname}`
}
