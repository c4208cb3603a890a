/** Changes a text that comes in pieces. What it cannot judge yet, it keeps back until the next piece or the end. */
export interface TextFilter {
  push(text: string): string
  end(): string
}

/** A text passes one filter after the other. */
export function chainFilters(filters: readonly TextFilter[]): TextFilter {
  return {
    push: (text) => filters.reduce((passed, filter) => filter.push(passed), text),
    end: () => filters.reduce((passed, filter) => filter.push(passed) + filter.end(), ''),
  }
}
