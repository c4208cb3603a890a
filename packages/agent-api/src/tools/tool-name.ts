import { createHash } from 'node:crypto'
import type { ToolRef } from './tool.ts'

/** The strictest of the vendors: OpenAI takes 64 characters of `[A-Za-z0-9_-]`, Google wants a letter or `_` in front. */
const wireNameLengthMax = 64
const suffixLength = 8

/**
 * The names a model sees, one for each tool: `server__tool`. They are looked up, never taken apart again.
 * A name that had to be cut, or that two tools would share, ends in a hash of its tool: the same in every step, whatever the order.
 */
export function toWireNames(refs: readonly ToolRef[]): string[] {
  const plain = refs.map(plainName)
  const uses = new Map<string, number>()
  for (const name of plain) uses.set(name, (uses.get(name) ?? 0) + 1)
  return refs.map((ref, index) => {
    const name = plain[index] ?? ''
    return name.length > wireNameLengthMax || (uses.get(name) ?? 0) > 1 ? withSuffix(name, ref) : name
  })
}

function plainName({ server, tool }: ToolRef): string {
  const name = server === null ? sanitize(tool) : `${sanitize(server)}__${sanitize(tool)}`
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

function sanitize(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/g, '_')
}

function withSuffix(name: string, ref: ToolRef): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([ref.server, ref.tool]))
    .digest('hex')
  return `${name.slice(0, wireNameLengthMax - suffixLength - 1)}_${hash.slice(0, suffixLength)}`
}
