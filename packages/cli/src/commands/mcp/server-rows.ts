import { toEntryOrigin, type ServerView } from '@ostler/workbench'

/** The command and the folder in which it starts, or the address. */
export function startRows({ transport, entry }: Pick<ServerView, 'transport' | 'entry'>): string[][] {
  if (transport !== 'stdio') return [['Connects to:', toEntryOrigin(entry)]]
  const { cwd, sandbox } = entry
  return [
    ['Runs:', toEntryOrigin(entry)],
    ['In:', typeof cwd === 'string' ? cwd : '~ (default)'],
    ...(sandbox === undefined
      ? []
      : [['Sandbox:', typeof sandbox === 'string' ? sandbox : JSON.stringify(sandbox)]]),
  ]
}

/** The names of variables or headers, which may be shown: the values may be secret. */
export function namesIn(pairs: unknown): string {
  return Object.keys(pairs ?? {}).join(', ')
}

export function problemOf({ status }: ServerView): string | undefined {
  return status.state === 'error' ? (status.reason ?? 'it cannot be used') : undefined
}

export const secretStoreNames: Readonly<Record<NonNullable<ServerView['secretStore']>, string>> = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory',
}
