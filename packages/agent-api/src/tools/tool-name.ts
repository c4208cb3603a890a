import { createHash } from 'node:crypto'
import type { ToolRef } from '../messages/tool.ts'

/** The strictest vendor limits: OpenAI allows 64 characters of `[A-Za-z0-9_-]`, Google requires a letter or `_` at the start. */
const wireNameLengthMax = 64
const suffixLength = 8
/** A name that is too long keeps at least this much of the server's name. */
const serverCharsMin = 25

/**
 * Returns a unique wire name for each tool: `server__tool`. Wire names are looked up, never parsed. A name that is too long or ambiguous
 * ends in a hash of its tool. The order of the tools does not matter, except between tools with the same ref: a module and the editor may
 * both provide `read_file`.
 */
export function toWireNames(refs: readonly ToolRef[]): string[] {
  const names = refs.map(plainName)
  const uses = new Map<string, number>()
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  const isFree = (name: string) => name.length <= wireNameLengthMax && uses.get(name) === 1
  const taken = new Set(names.filter(isFree))
  const others = refs.flatMap((ref, index) =>
    taken.has(names[index] ?? '') ? [] : [{ ref, index, key: JSON.stringify([ref.server, ref.tool]) }],
  )
  for (const { ref, index } of others.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))) {
    const name = freeName(names[index] ?? '', ref, taken)
    taken.add(name)
    names[index] = name
  }
  return names
}

function freeName(plain: string, ref: ToolRef, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const name = withSuffix(plain, ref, attempt)
    if (!taken.has(name)) return name
  }
}

function plainName({ server, tool }: ToolRef): string {
  const name = server === null ? sanitize(tool) : `${sanitize(server)}__${sanitize(tool)}`
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

function sanitize(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/g, '_')
}

function withSuffix(name: string, { server, tool }: ToolRef, attempt: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(attempt === 0 ? [server, tool] : [server, tool, attempt]))
    .digest('hex')
  const room = wireNameLengthMax - suffixLength - 1
  const end = server === null ? '' : `__${sanitize(tool)}`
  // The server's name is cut first, because the model chooses by the tool's name.
  const start = name
    .slice(0, Math.max(name.length - end.length, 0))
    .slice(0, Math.max(room - end.length, serverCharsMin))
  return `${(start + end).slice(0, room)}_${hash.slice(0, suffixLength)}`
}
