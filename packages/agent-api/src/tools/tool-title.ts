import type { ToolArguments, ToolRef } from '../messages/tool.ts'

const argumentCharsMax = 60

/** A one-line title for a call. Made from what actually runs, because a server's own title could say anything. */
export function titleOf({ server, tool }: ToolRef, args: ToolArguments | undefined): string {
  const name = server === null ? tool : `${server}: ${tool}`
  const first = Object.values(args ?? {}).find((value) => typeof value === 'string' || typeof value === 'number')
  return first === undefined ? name : `${name} ${shorten(`${first}`)}`
}

function shorten(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim()
  return line.length > argumentCharsMax ? `${line.slice(0, argumentCharsMax - 1)}…` : line
}
