/** The opened calls in the address of a page: `open=ID,ID`. */
export function parseOpenCalls(query: URLSearchParams): readonly string[] {
  return (query.get('open') ?? '').split(',').filter((id) => id !== '')
}

/** The same, with this call opened or closed. */
export function withToggled(open: readonly string[], id: string): string {
  return (open.includes(id) ? open.filter((other) => other !== id) : [...open, id]).join(',')
}
