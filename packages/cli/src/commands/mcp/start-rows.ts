import { toEntryOrigin, type ServerView } from '@ostler/workbench'

/** The command and the folder in which it starts, or the address. */
export function startRows({ transport, entry }: Pick<ServerView, 'transport' | 'entry'>): string[][] {
  if (transport !== 'stdio') return [['Connects to:', toEntryOrigin(entry)]]
  const { cwd } = entry
  return [
    ['Runs:', toEntryOrigin(entry)],
    ['In:', typeof cwd === 'string' ? cwd : '~ (default)'],
  ]
}
