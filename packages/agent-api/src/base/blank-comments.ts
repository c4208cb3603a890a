const stringOrComment = /"[^"\\]*(?:\\[^][^"\\]*)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g

/** Replaces comments in JSON by spaces, so that all other characters keep their positions. */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n\r]/g, ' '),
  )
}
