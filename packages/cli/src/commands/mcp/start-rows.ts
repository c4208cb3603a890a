import { toEntryOrigin, type ServerView } from '@ostler/agent-api/manage'

/** What is started, or where it connects to, and the folder in which a command starts. */
export function startRows({ transport, entry }: Pick<ServerView, 'transport' | 'entry'>): string[][] {
  if (transport !== 'stdio') return [['Connects to:', toEntryOrigin(entry)]]
  const { cwd } = entry
  return [
    ['Runs:', toEntryOrigin(entry)],
    ['In:', typeof cwd === 'string' ? cwd : '~ (default)'],
  ]
}
