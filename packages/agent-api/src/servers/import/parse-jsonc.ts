import { messageOf, OstlerError } from '../../base/errors.ts'

const stringOrComment = /"[^"\\]*(?:\\[^][^"\\]*)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g
const stringOrLastComma = /"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g

/** JSON as editors write their settings: with comments, and with commas behind the last one. Throws where it stops being that. */
export function parseJsonc(text: string): unknown {
  const withoutComments = text.replace(/^\uFEFF/, '').replace(stringOrComment, (part) => (part.startsWith('"') ? part : blank(part)))
  const json = withoutComments.replace(stringOrLastComma, (part) => (part === ',' ? ' ' : part))
  try {
    return JSON.parse(json)
  } catch (error) {
    // The parser's own words may quote the text, and what stands there may be a secret.
    throw new OstlerError('import.invalid', `It is not JSON${placeOf(messageOf(error), json)}.`)
  }
}

/** Every other character keeps its place. */
function blank(comment: string): string {
  return comment.replace(/[^\n\r]/g, ' ')
}

function placeOf(message: string, json: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return ''
  const lines = json.slice(0, Number(position)).split('\n')
  return `: line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
