import { showHidden } from '../base/strip-hidden.ts'
import type { ToolArguments, ToolRef } from '../messages/tool.ts'

const argumentCharsMax = 60
/** An editor shows a title on one line. The whole command is in the content. */
const titleCharsMax = 1_000

/** Made from what actually runs, because a server's own title could say anything. */
export function titleOf({ server, tool }: ToolRef, args: ToolArguments | undefined): string {
  const name = server === null ? tool : `${server}: ${tool}`
  const first = Object.values(args ?? {}).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  )
  return first === undefined ? name : `${name} ${shorten(`${first}`)}`
}

/** Hidden characters stay visible in a title, because a person decides by it. */
export function toTitleLine(title: string): string {
  const line = showHidden(title.replace(/\s+/g, ' ').trim())
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax)}…` : line
}

function shorten(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim()
  return line.length > argumentCharsMax ? `${line.slice(0, argumentCharsMax - 1)}…` : line
}
