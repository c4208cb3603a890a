import { OstlerError } from '@ostler/agent-api'
import { blankComments, messageOf } from '@ostler/agent-api/internal'

const stringOrLastComma = /"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g

/** Takes comments and trailing commas, as editors write them. Throws for anything else. */
export function parseJsonc(text: string): unknown {
  const json = blankComments(text.replace(/^\uFEFF/, '')).replace(stringOrLastComma, (part) =>
    part === ',' ? ' ' : part,
  )
  try {
    return JSON.parse(json)
  } catch (error) {
    // The parser's message may quote the text, which may contain a secret.
    throw new OstlerError('import.invalid', `It is not JSON${placeOf(messageOf(error), json)}.`)
  }
}

function placeOf(message: string, json: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return ''
  const lines = json.slice(0, Number(position)).split('\n')
  return `: line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
