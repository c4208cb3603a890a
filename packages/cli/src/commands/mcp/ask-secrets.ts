import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { usageError } from '../../command-line/usage-error.ts'
import type { Io } from '../../terminal/io.ts'
import { askSecret, hasPerson } from '../../terminal/ask.ts'
import type { EntryChanges } from './entry-flags.ts'

/** Fills in missing secrets: asks without echo, or reads them from standard input, one per line. */
export async function askSecrets(io: Io, changes: EntryChanges, fromStdin: boolean): Promise<EntryChanges> {
  if (changes.missing.length === 0) return changes
  if (!fromStdin && !hasPerson(io)) {
    const names = changes.missing.map(({ label }) => label).join(', ')
    throw usageError(
      `no value given for ${names}, and no terminal to prompt on; use --secret-stdin to read it from standard input`,
    )
  }
  const lines = fromStdin ? await readLines(io) : undefined
  let filled = changes
  for (const [index, { label, fill }] of changes.missing.entries()) {
    const value = lines === undefined ? await askSecret(label, io) : lines[index]
    if (value === undefined || value === '')
      throw new OstlerError('secrets.missing', `No value given for ${label}. Nothing was stored.`)
    filled = fill(filled, value)
  }
  return filled
}

async function readLines({ stdin }: Io): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: stdin })) lines.push(line)
  return lines
}
