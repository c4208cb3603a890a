/** Splits chunked text into lines. Empty lines are dropped. */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}
