/** Replaces comments in JSON by spaces, so that all other characters keep their positions. */
export function blankComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => (part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ')))
}
