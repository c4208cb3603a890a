import type { ToolAnnotations } from '../messages/tool.ts'

/** A server's claims about its tool. Nothing verifies them, so the text attributes them to the server. */
export function describeClaims({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: ToolAnnotations = {}): string {
  const changes = readOnlyHint !== true
  return [
    readOnlyHint === true && 'it only reads',
    readOnlyHint === false && 'it may change things',
    changes && destructiveHint === true && 'it may destroy things',
    changes && destructiveHint === false && 'it only adds',
    changes && idempotentHint === true && 'calling it again has no further effect',
    openWorldHint === true && 'it may reach beyond this machine',
    openWorldHint === false && 'it reaches nothing beyond its own data',
  ]
    .filter((claim) => claim !== false)
    .join(', ')
}
