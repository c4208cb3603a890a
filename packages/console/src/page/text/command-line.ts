import type { SecretView } from '@ostler/agent-api'

const plainWord = /^[\w@%+=:,./${}•-]+$/

/** What is started or asked: the command line with its words told apart, or the URL. Only to be read, never to be run. */
export function toCommandLine(entry: Readonly<Record<string, unknown>>, secrets: readonly SecretView[] = []): string {
  const show = (text: unknown) => maskSecrets(typeof text === 'string' ? text : '', secrets)
  if (entry['type'] !== 'stdio') return show(entry['url'])
  const args: readonly unknown[] = Array.isArray(entry['args']) ? entry['args'] : []
  return [entry['command'], ...args].map((word) => quoteWord(show(word))).join(' ')
}

/** `${secret:LABEL}` as dots, with the last four where they are known. */
export function maskSecrets(text: string, secrets: readonly SecretView[] = []): string {
  return text.replace(/\$\{secret:([^-}][^}]*)\}/g, (_, label: string) => {
    const secret = secrets.find(({ name }) => name === label)
    return `••••${secret?.lastFour ?? ''}`
  })
}

export function quoteWord(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
