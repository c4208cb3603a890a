import type { ToolAnnotations } from '@ostler/agent-api/internal'

/** A server's claims about its tool. Nothing checks them. */
export function describeClaims({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations = {}): string {
  const said = [
    readOnlyHint === true ? 'it only reads' : readOnlyHint === false ? 'it may change things' : undefined,
    readOnlyHint !== true && destructiveHint === true ? 'it may destroy things' : undefined,
    readOnlyHint !== true && destructiveHint === false ? 'it only adds' : undefined,
    openWorldHint === true ? 'it may reach beyond this machine' : undefined,
  ]
  return said.filter((claim) => claim !== undefined).join(', ')
}
