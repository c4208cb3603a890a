import { z } from 'zod'
import type { Baseline } from '../../policy/definition-changes.ts'
import type { Journal } from '../db/journal.ts'
import { parseJson } from '../db/statements.ts'

/** The definitions of servers that a person has accepted, by the hash of the server's identity. */
export interface Baselines {
  /** Undefined at the first sight of a server. Throws if it cannot be read. */
  find(identity: string): Baseline | undefined
  keep(identity: string, baseline: Baseline): void
}

/** A longer list is compared only while the server is open. */
const baselineCharsMax = 4 * 1024 * 1024
const baselinesMax = 1_000

const schema = z.object({
  accepted: z.record(z.string(), z.record(z.string(), z.unknown())),
  refused: z.record(z.string(), z.string()),
})

const select = 'SELECT baseline FROM baselines WHERE agent = ? AND identity = ?'
const insert = 'INSERT OR REPLACE INTO baselines (agent, identity, baseline) VALUES (?, ?, ?)'
const removeOld = `DELETE FROM baselines WHERE agent = ?1
  AND rowid NOT IN (SELECT rowid FROM baselines WHERE agent = ?1 ORDER BY rowid DESC LIMIT ${baselinesMax})`

export function createBaselines({ read, write }: Pick<Journal, 'read' | 'write'>, agent: string): Baselines {
  return {
    find(identity) {
      const row = read((statements) => statements.get(select, agent, identity))
      return row === undefined ? undefined : schema.parse(parseJson(String(row['baseline'])))
    },
    keep(identity, baseline) {
      const text = JSON.stringify(baseline)
      if (text.length > baselineCharsMax) return
      write((statements) => {
        statements.run(insert, agent, identity, text)
        statements.run(removeOld, agent)
      }, text.length)
    },
  }
}
