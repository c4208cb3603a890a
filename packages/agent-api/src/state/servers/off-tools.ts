import { z } from 'zod'
import type { Journal } from '../db/journal.ts'
import { toValid } from '../db/statements.ts'

/** A tool of the server with this hash of its identity. */
export interface OffTool {
  readonly identity: string
  readonly tool: string
}

/** The tools that a person has switched off in a folder. They are off in all sessions of the agent there, also in those of other processes. */
export interface OffTools {
  list(): readonly OffTool[]
  /** Rejects if it cannot be stored. */
  set(tool: OffTool, isOff: boolean): Promise<void>
}

const rowSchema = z.object({ identity: z.string(), tool: z.string() })

const select = 'SELECT identity, tool FROM off_tools WHERE agent = ? AND cwd = ?'
const insert = 'INSERT OR IGNORE INTO off_tools (agent, cwd, identity, tool) VALUES (?, ?, ?, ?)'
const remove = 'DELETE FROM off_tools WHERE agent = ? AND cwd = ? AND identity = ? AND tool = ?'

export function createOffTools(
  { read, change }: Pick<Journal, 'read' | 'change'>,
  agent: string,
  cwd: string,
): OffTools {
  return {
    list: () => read((statements) => toValid(rowSchema, statements.all(select, agent, cwd))),
    set: ({ identity, tool }, isOff) =>
      change((statements) => void statements.run(isOff ? insert : remove, agent, cwd, identity, tool)),
  }
}
