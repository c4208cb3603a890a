import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { askSecret, hasPerson, type Terminal } from '../../terminal/ask.ts'
import { usageError } from '../../command-line/command-line.ts'
import type { CommandSpec } from '../../command-line/command-spec.ts'
import type { EntryChanges } from './entry-flags.ts'

/** The changes with the values that were not given: asked for unseen, or read from standard input, one line each. */
export async function askSecrets(spec: CommandSpec, changes: EntryChanges, fromStdin: boolean, terminal: Terminal): Promise<EntryChanges> {
  if (changes.missing.length === 0) return changes
  if (!fromStdin && !hasPerson(terminal)) {
    const names = changes.missing.map(({ label }) => label).join(', ')
    throw usageError(spec, `there is no value for ${names}, and no terminal to ask on: --secret-stdin reads it from standard input`)
  }
  const lines = fromStdin ? await readLines(terminal) : undefined
  let filled = changes
  for (const [index, { label, fill }] of changes.missing.entries()) {
    const value = lines === undefined ? await askSecret(label, terminal) : lines[index]
    if (value === undefined || value === '') throw new OstlerError('secrets.missing', `There is no value for ${label}. Nothing was stored.`)
    filled = fill(filled, value)
  }
  return filled
}

async function readLines({ input }: Terminal): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input })) lines.push(line)
  return lines
}
