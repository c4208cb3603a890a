import type { SecretView } from '@ostler/agent-api/manage'

const plainWord = /^[\w@%+=:,./${}•-]+$/

/** The quoted command line, or the URL. For display only. */
export function toCommandLine(entry: Readonly<Record<string, unknown>>, secrets: readonly SecretView[] = []): string {
  const show = (text: unknown) => maskSecrets(typeof text === 'string' ? text : '', secrets)
  if (entry['type'] !== 'stdio') return show(entry['url'])
  const args: readonly unknown[] = Array.isArray(entry['args']) ? entry['args'] : []
  return [entry['command'], ...args].map((word) => quoteWord(show(word))).join(' ')
}

/** Shows `${secret:LABEL}` as dots, with the last four characters if known. */
export function maskSecrets(text: string, secrets: readonly SecretView[] = []): string {
  return text.replace(/\$\{secret:([^-}][^}]*)\}/g, (_, label: string) => {
    const secret = secrets.find(({ name }) => name === label)
    return `••••${secret?.lastFour ?? ''}`
  })
}

function quoteWord(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
