import { quoteWord } from '@ostler/agent-api/browser'
import type { SecretView } from '../../api.ts'

const plainWord = /^[\w@%+=:,./${}•-]+$/

/** For display only. */
export function toCommandLine(
  entry: Readonly<Record<string, unknown>>,
  secrets: readonly SecretView[] = [],
): string {
  const show = (text: unknown) => maskSecrets(typeof text === 'string' ? text : '', secrets)
  if (entry['type'] !== 'stdio') return show(entry['url'])
  const args: readonly unknown[] = Array.isArray(entry['args']) ? entry['args'] : []
  return [entry['command'], ...args].map((word) => quoteWord(show(word), plainWord)).join(' ')
}

/** Shows `${secret:LABEL}` as dots, with the last four characters if known. */
export function maskSecrets(text: string, secrets: readonly SecretView[] = []): string {
  return text.replace(/\$\{secret:([^-}][^}]*)\}/g, (_, label: string) => {
    const secret = secrets.find(({ name }) => name === label)
    return `••••${secret?.lastFour ?? ''}`
  })
}
